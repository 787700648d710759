import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Opening of a log that was not closed or that is damaged.
struct LogRecoveryTests {
    private let bench: LogBench
    private static let names = ["a", "b", "c", "d"]

    init() throws {
        bench = LogBench(try Sample.schemas())
    }

    /// A log with one commit per name, and the end of each record.
    private func filled(closing: Bool) throws -> (disk: SimulatedDisk, ends: [Int]) {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem)
        var ends = [engine.log.length]
        for (number, name) in Self.names.enumerated() {
            try engine.insert(Sample.tag(number, name))
            ends.append(engine.log.length)
        }
        if closing { engine.close() }
        return (fileSystem.disk, ends)
    }

    private func changed(_ disk: SimulatedDisk, _ body: (inout [UInt8]) -> Void) -> SimulatedDisk {
        var (bytes, disk) = (disk.files[LogBench.log] ?? [], disk)
        body(&bytes)
        disk.place(.file(0), at: LogBench.log, bytes: bytes)
        return disk
    }

    private func damage(_ disk: SimulatedDisk) -> Int? {
        let fileSystem = SimulatedFileSystem(disk)
        do throws(PersistencyError) {
            _ = try bench.open(fileSystem)
            return nil
        } catch {
            #expect(fileSystem.disk.files == disk.files)
            return error.damage
        }
    }

    @Test func `any bit of a log that was closed is missed, with the place of its record`() throws {
        let (disk, ends) = try filled(closing: true)
        let length = try #require(ends.last)
        for place in 0..<length {
            let found = SimulatedFileSystem(changed(disk) { $0[place] ^= 1 << UInt8(place % 8) })
            let before = found.disk.files
            do throws(PersistencyError) {
                _ = try bench.open(found)
                Issue.record("opened with byte \(place) wrong")
            } catch {
                let record = ends.last { $0 <= place } ?? 0
                if place < 3 {
                    #expect(error.summary == "incompatible")
                } else if place >= ends[0] {
                    #expect(error.damage == record)
                } else {
                    // The ends of the snapshot records are not included.
                    #expect((error.damage ?? .max) <= place)
                }
                #expect(found.disk.files == before)
            }
        }
    }

    @Test func `a whole record at the end that says nothing known is refused, and not taken for one cut short`()
        throws
    {
        let (disk, ends) = try filled(closing: false)
        let bytes = try #require(disk.files[LogBench.log])
        let head = try #require(RecordFrame(bytes, at: 0, available: bytes.count))
        let kinds = [RecordFrame.Kind.head, .roots, .end, .commits, RecordFrame.Kind(rawValue: 0x58)]
        for kind in kinds {
            for number: UInt64 in [0, 6, 7] {
                var record = [UInt8](repeating: 0xFF, count: RecordFrame.size + 4)
                RecordFrame(kind: kind, length: 4, number: number, salt: head.salt).write(to: &record)
                #expect(damage(changed(disk) { $0 += record }) == ends[4], "kind \(kind.rawValue), number \(number)")
            }
        }
    }

    @Test func `a log that was closed and ends otherwise than it did is refused`() throws {
        let (disk, ends) = try filled(closing: true)
        #expect(damage(changed(disk) { $0.append(0) }) == ends[4])
        #expect(damage(changed(disk) { $0.removeLast() }) == ends[3])
        #expect(damage(changed(disk) { $0.removeLast(ends[4] - ends[3]) }) == ends[3])
        var gone = disk
        gone.setNames([(LogBench.log, nil)])
        #expect(damage(gone) == 0)
    }

    @Test func `a record that was cut short is dropped by writing the log anew`() throws {
        let (disk, ends) = try filled(closing: false)
        for length in ends[3]...ends[4] {
            let fileSystem = SimulatedFileSystem(changed(disk) { $0.setCount(length) })
            var engine = try bench.open(fileSystem)
            let names = length < ends[4] ? 3 : 4
            #expect(engine.roots(Sample.tag).map(\.values) == Self.names.prefix(names).map { [.text($0)] })
            #expect(fileSystem.operations.contains(.rename("/db/larder.new", to: LogBench.log)))
            try engine.insert(Sample.tag(9, "z"))
            #expect(try bench.roots(Sample.tag, on: CrashImages(fileSystem.disk)[0]).count == names + 1)
        }
    }

    @Test func `a bad record before a good one is no work of a crash`() throws {
        let (disk, ends) = try filled(closing: false)
        for place in [ends[1], ends[2] - 1, (ends[1] + ends[2]) / 2] {
            #expect(damage(changed(disk) { $0[place] ^= 0xFF }) == ends[1])
        }
        let (third, fourth) = (ends[2]..<ends[3], ends[3]..<ends[4])
        #expect(damage(changed(disk) { $0.replaceSubrange(ends[2]..., with: $0[fourth] + $0[third]) }) == ends[2])
        #expect(damage(changed(disk) { $0.removeSubrange(third) }) == ends[2])
        #expect(damage(changed(disk) { $0.insert(contentsOf: $0[third], at: ends[3]) }) == ends[3])
        #expect(damage(changed(disk) { $0.insert(0, at: ends[2]) }) == ends[2])
        // The snapshot records were complete before the log got its name.
        let cut = damage(changed(disk) { $0.removeLast($0.count - ends[0] + 1) })
        #expect(cut.map { $0 < ends[0] } == true)
    }

    @Test func `a record of another log is none of this one`() throws {
        let (disk, ends) = try filled(closing: false)
        let other = try #require(try filled(closing: false).disk.files[LogBench.log])
        // At the end, the bytes may be old data of the device; in the middle, a later record follows.
        let last = try #require(ends.last)
        let spliced = changed(disk) { $0.replaceSubrange(ends[3]..<last, with: other[ends[3]..<last]) }
        #expect(try bench.roots(Sample.tag, on: spliced).count == 3)
        #expect(
            damage(changed(disk) { $0.replaceSubrange(ends[1]..<ends[2], with: other[ends[1]..<ends[2]]) }) == ends[1])
    }

    @Test func `a blob that holds the whole log is a blob`() throws {
        let (disk, _) = try filled(closing: false)
        let fileSystem = SimulatedFileSystem(disk)
        var engine = try bench.open(fileSystem)
        func cover(_ number: Int) throws -> StorageObject {
            let bytes = try #require(fileSystem.disk.files[LogBench.log])
            return StorageObject(schema: Sample.cover, id: Sample.id(number), values: [.blob(bytes), .text("Log")])
        }
        let first = try cover(20)
        try engine.insert(first)
        let end = engine.log.length
        try engine.insert(try cover(21))
        for length in stride(from: end, to: engine.log.length, by: 7) {
            let torn = changed(fileSystem.disk) { $0.setCount(length) }
            #expect(try bench.roots(Sample.cover, on: torn) == [first])
        }
    }

    @Test func `a file in the log's place that is no log is refused`() throws {
        func summary(_ entry: SimulatedDisk.Entry, _ bytes: [UInt8] = []) -> String? {
            var disk = LogBench.disk
            disk.place(entry, at: LogBench.log, bytes: bytes)
            let fileSystem = SimulatedFileSystem(disk)
            let found = refusal { () throws(PersistencyError) in _ = try bench.open(fileSystem) }
            #expect(fileSystem.disk.names[LogBench.log] == disk.names[LogBench.log])
            #expect(fileSystem.disk.files == disk.files)
            return found
        }
        #expect(summary(.folder) == "incompatible")
        #expect(summary(.other) == "incompatible")
        #expect(summary(.file(0)) == "incompatible")
        #expect(summary(.file(0), Array("no log".utf8)) == "incompatible")
        #expect(summary(.file(0), Array("Lrdx".utf8)) == "unavailable failed")
        var newer = ValueWriter.record
        newer.append(fixed: UInt32(truncatingIfNeeded: LogSeal.format + 1))
        #expect(summary(.file(0), newer.record(.head, number: 0, salt: 1)) == "incompatible")
    }
}
