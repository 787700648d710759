import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// A record as an attacker who knows the format sees it: the frame can be computed, the content cannot.
struct AttackedRecord {
    var kind: RecordFrame.Kind
    var salt: UInt64
    var content: [UInt8]
}

/// Changes of a sealed log by an attacker without its passphrase, with correct checksums and numbers.
struct SealedLogAttacks {
    let log: [AttackedRecord]
    /// The same commits in another generation of the log, with the same key.
    let sibling: [AttackedRecord]
    /// The same commits under another passphrase.
    let stranger: [AttackedRecord]
    /// The same commits in a plain log.
    let plain: [AttackedRecord]

    /// The attacks, each with its name and the records that it leaves.
    var all: [(name: String, records: [AttackedRecord])] {
        var attacks: [(String, [AttackedRecord])] = []
        func attack(_ name: String, _ body: (inout [AttackedRecord]) -> Void) {
            var records = log
            body(&records)
            attacks.append((name, records))
        }
        for index in log.indices {
            let size = log[index].content.count
            for place in [4, size / 2, size - 1] {
                attack("record \(index), byte \(place) changed") { $0[index].content[place] ^= 1 }
            }
            attack("record \(index) without its last byte") { $0[index].content.removeLast() }
            attack("record \(index) with a further byte") { $0[index].content.append(0) }
            attack("record \(index) twice") { $0.insert($0[index], at: index) }
            for (name, other) in [("sibling", sibling), ("stranger", stranger), ("plain log", plain)]
            where index < other.count {
                attack("record \(index) of a \(name)") {
                    $0[index].content = other[index].content
                }
            }
            guard index > 0 else { continue }
            attack("record \(index) of another kind") {
                $0[index].kind = $0[index].kind == .commits ? .roots : .commits
            }
            attack("an empty record \(index)") { $0[index].content = [] }
            // The last records can be cut off as if the log were older.
            if index < log.count - 1 {
                attack("no record \(index)") { $0.remove(at: index) }
                for second in index + 1..<log.count {
                    attack("records \(index) and \(second) exchanged") { $0.swapAt(index, second) }
                }
            }
        }
        attack("a plain record at the end") { $0.append(plain[plain.count - 1]) }
        attack("the last record of a sibling at the end") { $0.append(sibling[sibling.count - 1]) }
        attack("all records of a sibling under this head") { $0 = [$0[0]] + sibling.dropFirst() }
        attack("another salt of the log") { for index in $0.indices { $0[index].salt ^= 1 } }
        attacks.append(("a plain log", plain))
        attacks.append(("the log of a stranger", stranger))
        return attacks
    }
}

extension [AttackedRecord] {
    init(_ bytes: [UInt8]) {
        self = []
        var place = 0
        while let frame = RecordFrame(bytes, at: place, available: bytes.count - place) {
            append(
                AttackedRecord(
                    kind: frame.kind, salt: frame.salt,
                    content: Array<UInt8>(bytes[place + RecordFrame.size..<place + frame.size])))
            place += frame.size
        }
    }

    /// The bytes with the numbers and checksums that a log requires. All records get the salt of the first one.
    var bytes: [UInt8] {
        enumerated().flatMap { number, record in
            var writer = ValueWriter.record
            writer.append(content: record.content[...])
            return writer.record(record.kind, number: UInt64(number), salt: self[0].salt)
        }
    }
}
