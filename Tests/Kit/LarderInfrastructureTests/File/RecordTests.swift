import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The format of records, byte by byte.
struct RecordTests {
    private func schemas() throws -> SchemaSet { try Sample.schemas() }

    private func head(_ codec: LogCodec) throws -> LogHead {
        let record = codec.head(after: 7).record(.head, number: 0, salt: 1)
        return try #require(try LogHead(content(of: record), path: "log", declared: codec.schemas))
    }

    private func content(of record: [UInt8]) -> ValueReader {
        ValueReader(record, RecordFrame.size..<record.count)
    }

    private var objects: [StorageObject] {
        [
            Sample.tag(1, ""), Sample.tag(2, "Käse 🧀"),
            Sample.book(
                3, "Brot", year: .min, code: "x", cover: 4,
                pages: [
                    Sample.page(5, "one", notes: [Sample.note(6, "n"), Sample.note(7, "")], tags: [1, 2, 1]),
                    Sample.page(8, "two"),
                ], tags: [2], sequels: [3, 3]),
            StorageObject(
                schema: Sample.shelf, id: Sample.id(9),
                values: [
                    .integer(.max), .integer(-1), .real(-1.5e-300), .null, .text("name"),
                    .blob((0...255).map { UInt8($0) }), .integer(0), .text("2026-11-21"), .integer(300),
                ]),
        ]
    }

    @Test func `a frame is 28 bytes: magic and kind, length, checksum, number, salt`() {
        var writer = ValueWriter.record
        writer.append(UInt8(0xAB))
        let record = writer.record(.end, number: 0x0102, salt: 0x1122_3344_5566_7788)
        let fixed: [UInt8] = [
            0x4C, 0x72, 0x64, 0x45, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66,
            0x77, 0x88, 0xAB,
        ]
        for index in fixed.indices where !(8..<12).contains(index) { #expect(record[index] == fixed[index]) }
        let frame = RecordFrame(record, at: 0, available: record.count)
        #expect(frame == RecordFrame(kind: .end, length: 1, number: 0x0102, salt: 0x1122_3344_5566_7788))
        #expect(frame?.matches(record, at: 0) == true)
        for bit in 0..<record.count * 8 {
            var damaged = record
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let found = RecordFrame(damaged, at: 0, available: damaged.count)
            #expect(found?.matches(damaged, at: 0) != true, "bit \(bit)")
        }
    }

    @Test func `a length is refused before anything is read of it`() {
        for (length, available) in [(RecordFrame.maximumLength + 1, Int.max), (100, 127), (Int(UInt32.max), Int.max)] {
            var record = ValueWriter.record.record(.end, number: 0, salt: 0)
            record.replaceSubrange(4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) })
            #expect(RecordFrame(record, at: 0, available: available) == nil)
        }
        #expect(RecordFrame([UInt8](repeating: 0x4C, count: 10), at: 0, available: 10) == nil)
    }

    @Test func `roots are read back unchanged, with their versions`() throws {
        let codec = LogCodec(try schemas())
        let head = try head(codec)
        #expect(head.sequence == 7 && head.record.items == codec.schemas.items)
        var writer = ValueWriter.record
        for (version, object) in objects.enumerated() {
            var root = object
            root.version = version == 3 ? .max - 1 : Int64(version + 1)
            codec.append(root, to: &writer)
        }
        var reader = content(of: writer.record(.roots, number: 1, salt: 1))
        for (version, object) in objects.enumerated() {
            let root = try head.root(&reader)
            #expect(root == object)
            #expect(root.version == (version == 3 ? .max - 1 : Int64(version + 1)))
        }
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [0, -1, .min, .max] as [Int64])
    func `a root at a version that no commit gives, or none can follow, is refused`(version: Int64) throws {
        let codec = LogCodec(try schemas())
        var (root, writer) = (objects[0], ValueWriter.record)
        root.version = version
        codec.append(root, to: &writer)
        var reader = content(of: writer.record(.roots, number: 1, salt: 1))
        let head = try head(codec)
        #expect(throws: MalformedBytes.self) { try head.root(&reader) }
    }

    @Test(arguments: [1, 2] as [UInt32])
    func `a log of an earlier format is read, and nothing is added to it`(format: UInt32) throws {
        let codec = LogCodec(
            try schemas(), history: SchemaRecord(creating: try schemas(), at: Timestamp(microseconds: 5)).history)
        let time = Timestamp(microseconds: 9)
        #expect(try LogTarget(codec.schemas, over: head(codec), hasJournal: false, at: time).isCurrent)
        #expect(
            try LogTarget(codec.schemas, over: head(codec), hasJournal: false, at: time).history.map(
                \.time.microseconds) == [5])
        var writer = ValueWriter.record
        writer.append(fixed: format)
        writer.append(fixed: UInt64(7))
        let items = try schemas().items.filter { $0.kind != .index }
        writer.append(items.count)
        for item in items { for text in item.textFields { writer.append(text) } }
        let old = try #require(
            try LogHead(
                content(of: writer.record(.head, number: 0, salt: 1)), path: "log", declared: codec.schemas))
        #expect(old.sequence == 7 && old.record.items.map(\.entity) == items.map(\.entity))
        let target = try LogTarget(codec.schemas, over: old, hasJournal: false, at: time)
        #expect(!target.isCurrent && target.history.map(\.version) == [1] && target.plan.isAdditive)
        #expect(old.layouts.map(\.schema.name) == codec.schemas.roots.map(\.name))
    }

    @Test func `a log of the third format has no history, and gets one`() throws {
        let codec = LogCodec(try schemas())
        var writer = ValueWriter.record
        writer.append(fixed: UInt32(3))
        writer.append(fixed: UInt64(7))
        writer.append(codec.schemas.items.count)
        for value in codec.schemas.items.flatMap(\.values) { writer.append(value) }
        let content = content(of: writer.record(.head, number: 0, salt: 1))
        let old = try #require(try LogHead(content, path: "log", declared: codec.schemas))
        #expect(old.record.items == codec.schemas.items && old.record.history.isEmpty)
        let target = try LogTarget(codec.schemas, over: old, hasJournal: false, at: Timestamp(microseconds: 9))
        #expect(!target.isCurrent && target.history.map(\.summary) == ["adopted"])
    }

    @Test func `a change set is read back unchanged`() throws {
        let codec = LogCodec(try schemas())
        let old = objects[2]
        var new = old
        new.values[1] = .null
        new.links[0] = [Sample.id(1), Sample.id(2), Sample.id(3)]
        new.links[1] = []
        new.children[0] = [
            Sample.page(8, "two and more", tags: [2]), Sample.page(11, "three", notes: [Sample.note(12, "x")]),
        ]
        var other = objects[0]
        other.version = 3
        let changes = ChangeSet(
            inserts: [objects[1], objects[3]], updates: [new.update(from: old), other.update(from: other)],
            deletes: [objects[0].expecting(1), objects[1].expecting(.max)],
            removals: Sample.book.references.map { ReferenceRemoval(of: Sample.id(9), from: $0) })
        var writer = ValueWriter.record
        codec.append(changes, to: &writer)
        codec.append(ChangeSet(deletes: [objects[0].expecting(9)]), to: &writer)
        var reader = content(of: writer.record(.commits, number: 1, salt: 1))
        let head = try head(codec)
        #expect(try head.changes(&reader) == changes)
        #expect(try head.changes(&reader).deletes.map(\.version) == [9])
        #expect(reader.isAtEnd)
    }

    @Test func `whatever the bytes are, reading them ends, with an error or without`() throws {
        let codec = LogCodec(try schemas())
        let head = try head(codec)
        var random = SplitMix(seed: 4)
        var writer = ValueWriter.record
        for object in objects { codec.append(object, to: &writer) }
        codec.append(ChangeSet(inserts: objects), to: &writer)
        let sound = writer.record(.commits, number: 0, salt: 0)
        var failed = 0
        for round in 0..<2_000 {
            var bytes = round % 2 == 0 ? sound : (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: min(RecordFrame.size, bytes.count - 1)..<bytes.count, using: &random)
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            let content = self.content(of: bytes)
            do throws(MalformedBytes) {
                var reader = content
                while !reader.isAtEnd { _ = try head.root(&reader) }
            } catch {
                failed += 1
            }
            do throws(MalformedBytes) {
                var reader = content
                while !reader.isAtEnd { _ = try head.changes(&reader) }
            } catch {
                failed += 1
            }
            _ = try? LogHead(content, path: "log", declared: codec.schemas)
        }
        #expect(failed > 2_000)
    }
}

/// A generator with the same numbers in every run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
