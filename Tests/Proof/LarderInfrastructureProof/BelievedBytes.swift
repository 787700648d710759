import LarderData

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// The bytes of a log as a reader without one of the checks sees them: the unchecked field has the expected value.
struct BelievedBytes {
    private let mistake: Mistake

    init(_ mistake: Mistake) {
        self.mistake = mistake
    }

    func log(_ bytes: [UInt8]) -> [UInt8] {
        var (bytes, place, number) = (bytes, 0, UInt64(0))
        let salt = bytes.count >= RecordFrame.size ? bytes.number(at: 20) : 0
        var firsts = mistake == .noNumbers ? firstCommits(bytes) : []
        while let frame = RecordFrame(bytes, at: place, available: bytes.count - place) {
            let isGood = frame.matches(bytes, at: place)
            if !isGood, mistake == .noLookBeyond { break }
            if isGood || mistake == .noChecksum {
                var record = Array(bytes[place..<place + frame.size])
                if mistake == .noFormat, frame.kind == .head, frame.length >= 4 {
                    record.replaceSubrange(28..<32, with: [0, 0, 0, 1])
                }
                if frame.kind == .commits, frame.length >= 8, !firsts.isEmpty {
                    var first: [UInt8] = []
                    first.append(bigEndian: firsts.removeFirst())
                    record.replaceSubrange(28..<36, with: first)
                }
                RecordFrame(
                    kind: frame.kind, length: frame.length, number: mistake == .noNumbers ? number : frame.number,
                    salt: mistake == .noSaltCompared ? salt : frame.salt
                ).write(to: &record)
                bytes.replaceSubrange(place..<place + frame.size, with: record)
            }
            place += frame.size
            number += 1
        }
        guard mistake == .noLookBeyond else { return bytes }
        return Array(bytes[..<place]) + [UInt8](repeating: 0, count: bytes.count - place)
    }

    /// The numbers of the first commits of records, in ascending order.
    private func firstCommits(_ bytes: [UInt8]) -> [UInt64] {
        TamperedLog.starts(of: bytes).compactMap { start in
            guard let frame = RecordFrame(bytes, at: start, available: bytes.count - start),
                frame.kind == .commits, frame.length >= 8
            else { return nil }
            return bytes.number(at: start + RecordFrame.size)
        }.sorted()
    }

    func marker(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= LogMarker.size else { return bytes }
        return LogMarker(
            length: Int(truncatingIfNeeded: bytes.number(at: 4) & .max >> 1), count: bytes.number(at: 12),
            sequence: Int64(bitPattern: bytes.number(at: 20)), salt: bytes.number(at: 28)
        ).bytes
    }

    /// The length field of the first record, if the log is shorter.
    func longest(_ bytes: [UInt8]) -> Int? {
        var place = 0
        while place + RecordFrame.size <= bytes.count, RecordFrame.hasMagic(bytes, at: place) {
            let length = Int(bytes.number(at: place + 4, bytes: 4))
            if length > bytes.count - place { return length }
            place += RecordFrame.size + length
        }
        return nil
    }
}
