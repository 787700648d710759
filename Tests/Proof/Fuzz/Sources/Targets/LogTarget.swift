internal import LarderData

@testable internal import LarderInfrastructure
@testable internal import LarderStoreContract

/// Logs of a file store, which are read when the store is opened.
///
/// If the first byte is below 0x20, the others are a log. Otherwise they are records after a valid head, each with a
/// kind, a length of two bytes, and its content, because random bytes never match a number, a salt and a checksum.
struct LogTarget: Sendable {
    private static let salt: UInt64 = 7
    private static let kinds: [RecordFrame.Kind] = [.commits, .roots, .end, .head]

    private let codec: LogCodec

    init() {
        do { codec = LogCodec(try SchemaSet([Press.topic, Press.member, Press.magazine])) } catch { fail("\(error)") }
    }

    func decode(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        var log = Array(bytes.dropFirst())
        if first >= 0x20 { log = records(of: log) }
        let file = InventedFile(log)
        guard var replay = try? LogReplay(file, path: "log", declared: codec.schemas) else { return }
        guard (try? replay.run()) != nil else { return }
        guard replay.end.length <= log.count, replay.isTorn == (replay.end.length < log.count) else {
            fail("\(replay.end.length) bytes of \(log.count) are read, torn: \(replay.isTorn)")
        }
        guard replay.head.record.items == codec.schemas.items else { return }
        for root in replay.state.table.byName.values.flatMap(\.roots) {
            var writer = ValueWriter.record
            codec.append(root, to: &writer)
            var reader = ValueReader(writer.bytes, RecordFrame.size..<writer.bytes.count)
            guard (try? replay.head.root(&reader)) == root, reader.isAtEnd else { fail("\(root) does not come back") }
        }
    }

    /// A log of these records; the last one is truncated if the bytes end.
    private func records(of bytes: [UInt8]) -> [UInt8] {
        var log = codec.head(after: 0).record(.head, number: 0, salt: Self.salt)
        let head = try? LogHead(
            ValueReader(log, RecordFrame.size..<log.count), path: "log", declared: codec.schemas)
        var (place, number) = (0, UInt64(1))
        while place + 3 <= bytes.count {
            let length = Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
            let content = bytes[(place + 3)..<min(place + 3 + length, bytes.count)]
            var writer = ValueWriter.record
            writer.append(content: content)
            if let head { checkChanges(writer.bytes, head) }
            log += writer.record(Self.kinds[Int(bytes[place]) % Self.kinds.count], number: number, salt: Self.salt)
            place += 3 + content.count
            number += 1
        }
        return log
    }

    /// Decodable change sets must be encoded to equal bytes, whether or not they can be committed.
    private func checkChanges(_ bytes: [UInt8], _ head: LogHead) {
        var reader = ValueReader(bytes, RecordFrame.size..<bytes.count)
        guard (try? reader.fixed()) != nil else { return }
        while !reader.isAtEnd, let changes = try? head.changes(&reader) {
            var writer = ValueWriter.record
            codec.append(changes, to: &writer)
            var again = ValueReader(writer.bytes, RecordFrame.size..<writer.bytes.count)
            guard (try? head.changes(&again)) == changes, again.isAtEnd else { fail("\(changes) do not come back") }
        }
    }
}
