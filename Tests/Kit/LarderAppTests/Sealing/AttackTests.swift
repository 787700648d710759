import LarderApp
import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Testing

/// A change of the stored row of patient 1, and the place that its error must name.
private struct Attack {
    let name: String
    var entity = "patient"
    var id = Ward.id(1)
    let column: String
    let row: StorageObject
}

@Suite("Attacks on sealed values")
struct AttackTests {
    private static let (k1, k2) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))

    private func keys(_ k1: [UInt8] = k1, _ current: String = "k1") throws -> SealingKeys {
        let both = try [("k1", k1), ("k2", Self.k2)].map { SealingKeys.Key($0, try AESCipher(key: $1)) }
        return try SealingKeys(
            current: both[current == "k1" ? 0 : 1], older: [both[current == "k1" ? 1 : 0]],
            equality: .init("equality", AESCipher(key: Self.k2)))
    }

    @Test func `every change of stored bytes is detected, and the error names entity, id and column`() async throws {
        let ward = try await Ward(keys())
        try await ward.fill()
        let newer = try await Ward(keys(Self.k1, "k2"))
        try await newer.fill()
        let stranger = try await Ward(keys([UInt8](repeating: 3, count: 32)))
        try await stranger.fill()
        let (rows, newRows, foreign) = (try await ward.stored, try await newer.stored, try await stranger.stored)
        #expect(try await ward.error(reading: rows[0].changing(2, to: .null)) == nil)

        var attacks = changes(of: rows[0])
        attacks += moves(in: rows)
        attacks += hashes(rows)
        for (name, other) in [("a key of the same name", foreign), ("no key of the store", newRows)] {
            let value = other[0].values[0]
            if name == "no key of the store" {
                attacks.append(
                    Attack(
                        name: "the id of another key", column: "name",
                        row: rows[0].changing(0, to: rows[0].values[0].bytes { $0[3] = newRows[0].values[0].bytes[3] }))
                )
                attacks.append(
                    Attack(
                        name: "the id of the other key in its value", column: "name",
                        row: rows[0].changing(0, to: value.bytes { $0[3] = UInt8(ascii: "1") })))
                attacks.append(
                    Attack(
                        name: "an unknown key", column: "name",
                        row: rows[0].changing(0, to: value.bytes { $0[3] = UInt8(ascii: "9") })))
            } else {
                attacks.append(Attack(name: name, column: "name", row: rows[0].changing(0, to: value)))
            }
        }
        for attack in attacks {
            guard case .invalid(let field) = try await ward.error(reading: attack.row) else {
                Issue.record("not detected: \(attack.name) of \(attack.entity).\(attack.column)")
                continue
            }
            #expect(
                field.entity == attack.entity && field.id == attack.id && field.field == attack.column, "\(attack.name)"
            )
            #expect(!field.reason.contains("Ada"))
        }
        print("proof: \(attacks.count) attacks on sealed values, each detected")
        #expect(attacks.count >= 40)
    }

    /// Each part changed, and the value shorter or longer: in a column with and without equality, and in an owned object.
    private func changes(of row: StorageObject) -> [Attack] {
        // Format, length, key id, nonce, ciphertext, tag, from the start and from the end.
        let parts = [
            ("format", 0), ("length", 1), ("key id", 2), ("nonce", 4), ("text", 17), ("tag", -16), ("end", -1),
        ]
        var changes = parts.map { part, index in
            (
                "a flipped bit of the \(part)",
                { (bytes: inout [UInt8]) in bytes[index < 0 ? bytes.count + index : index] ^= 4 }
            )
        }
        changes += [
            ("one byte less", { $0.removeLast() }), ("half of it", { $0.removeLast($0.count / 2) }),
            ("only its header", { $0.removeLast($0.count - 4) }), ("nothing left", { $0 = [] }),
            ("one byte more", { $0.append(0) }), ("one byte more in front", { $0.insert(1, at: 0) }),
            ("a byte less of the text", { $0.remove(at: 17) }), ("its text twice", { $0 += $0.dropFirst(4) }),
        ]
        return changes.flatMap { name, change in
            ["name", "email", "weight"].enumerated().map { index, column in
                Attack(name: name, column: column, row: row.changing(index, to: row.values[index].bytes(change)))
            } + [
                Attack(
                    name: name, entity: "visit", id: Ward.id(10), column: "finding",
                    row: row.changingVisit(to: row.children[0][0].values[0].bytes(change)))
            ]
        }
    }

    /// Values of other places, with the same plain text where possible.
    private func moves(in rows: [StorageObject]) -> [Attack] {
        let (row, other, nurse) = (rows[0], rows[1], rows[2])
        func visit(_ name: String, _ value: Value) -> Attack {
            Attack(
                name: name, entity: "visit", id: Ward.id(10), column: "finding", row: row.changingVisit(to: value))
        }
        return [
            Attack(name: "two exchanged columns", column: "name", row: row.changing(0, to: row.values[3])),
            Attack(name: "two exchanged columns", column: "alias", row: row.changing(3, to: row.values[0])),
            Attack(name: "the name of another row", column: "name", row: row.changing(0, to: other.values[0])),
            Attack(name: "the e-mail of another row", column: "email", row: row.changing(1, to: other.values[1])),
            Attack(name: "the weight of another row", column: "weight", row: row.changing(2, to: other.values[2])),
            Attack(name: "the name of another entity", column: "name", row: row.changing(0, to: nurse.values[0])),
            Attack(
                name: "an owned object's value", column: "name",
                row: row.changing(0, to: row.children[0][0].values[0])),
            visit("the value of another visit", row.children[0][1].values[0]),
            visit("the value of a visit of another root", other.children[0][0].values[0]),
            visit("the root's value", row.values[0]),
            Attack(name: "a plain value", column: "name", row: row.changing(0, to: .blob(Array("Ada".utf8)))),
        ]
    }

    private func hashes(_ rows: [StorageObject]) -> [Attack] {
        let hash = rows[0].values[4]
        return [
            ("a flipped bit of a hash", hash.bytes { $0[0] ^= 1 }), ("a shorter hash", hash.bytes { $0.removeLast() }),
            ("no hash", .blob([])),
        ].map { Attack(name: $0, column: "email", row: rows[0].changing(4, to: $1)) } + [
            Attack(
                name: "value and hash of another row", column: "email",
                row: rows[0].changing(1, to: rows[1].values[1]).changing(4, to: .blob([1])))
        ]
    }
}

extension Value {
    fileprivate var bytes: [UInt8] { if case .blob(let bytes) = self { bytes } else { [] } }

    fileprivate func bytes(_ change: (inout [UInt8]) -> Void) -> Value {
        var bytes = bytes
        change(&bytes)
        return .blob(bytes)
    }
}

extension StorageObject {
    fileprivate func changing(_ column: Int, to value: Value) -> StorageObject {
        var object = self
        object.values[column] = value
        return object
    }

    fileprivate func changingVisit(to value: Value) -> StorageObject {
        var object = self
        object.children[0][0].values[0] = value
        return object
    }
}
