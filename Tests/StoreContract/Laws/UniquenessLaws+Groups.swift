internal import LarderData
internal import LarderDomain

/// Columns that are unique together, with values that differ although their concatenated texts are equal.
extension UniquenessLaws {
    static let groups: [Law] = [
        Law(.uniqueness, "Columns that are unique together are compared separately, not as one text") { trial in
            try await trial.fresh("together") { trial in
                let objects = try trial.alike()
                _ = try await trial.store.commit(ChangeSet(inserts: objects))
                for object in objects { try await trial.expectStored(object) }
            }
            try await trial.fresh("inserts") { trial in
                for object in try trial.alike() {
                    try await trial.insert(object)
                    try await trial.expectStored(object)
                }
            }
            try await trial.fresh("updates") { trial in
                let objects = try trial.alike()
                // Before the update, the first columns make each group distinct.
                let before = objects.enumerated().map { number, object in
                    var before = object
                    before.values[0] = .text("before \(number)")
                    if object.schema.name == Press.magazine.name { before.values[1] = .null }
                    return before
                }
                _ = try await trial.store.commit(ChangeSet(inserts: before))
                for (old, new) in zip(before, objects) {
                    _ = try await trial.store.commit(ChangeSet(updates: [old.update(to: new, expecting: 1)]))
                    try await trial.expectStored(new, version: 2)
                }
                let twin = try Shelf(trial.id(), room: "ab", label: "c").object
                try await duplicate(of: "a place that is taken") { try await trial.insert(twin) }
            }
        }.tests("commit.14"),
        Law(.uniqueness, "A duplicate names the columns of a group in the order of the group") { trial in
            let columns = ["a", "b", "c"].map { Column(name: $0, type: .text) }
            let place = EntitySchema(name: "place", columns: columns, uniques: [[2, 0]])
            func object(_ values: String...) -> StorageObject {
                StorageObject(schema: place, id: trial.rawID(), values: values.map(Value.text))
            }
            try await trial.succession([
                (
                    try SchemaSet([place]),
                    { store in
                        let first = object("x", "y", "z")
                        _ = try await store.commit(ChangeSet(inserts: [first]))
                        let found = try await duplicate(of: "a taken place") {
                            try await store.commit(ChangeSet(inserts: [object("x", "other", "z")]))
                        }
                        let expected = Duplicate(entity: "place", columns: ["c", "a"], existing: first.id)
                        try expect("the duplicate", found, is: expected)
                    }
                )
            ])
        }.tests("commit.14", "duplicate.2"),
        Law(.uniqueness, "Unique values are compared completely, however long they are") { trial in
            for count in [60, 250, 1_000, 70_000] {
                let texts = nearly(count)
                var objects: [StorageObject] = []
                for (number, text) in texts.enumerated() {
                    objects.append(Press.member(trial.rawID(), text))
                    objects.append(
                        Press.magazine(
                            trial.rawID(), text, issue: 1, year: Int64(count + number), seal: Array(text.utf8)))
                }
                _ = try await trial.store.commit(ChangeSet(inserts: objects))
                for object in objects { try await trial.expectStored(object) }
                for (number, text) in texts.enumerated() {
                    let name = Press.member(trial.rawID(), text)
                    try await duplicate(of: "a long name") { try await trial.insert(name) }
                    let seal = Press.magazine(trial.rawID(), "Other", seal: Array(text.utf8))
                    try await duplicate(of: "a long seal") { try await trial.insert(seal) }
                    let title = Press.magazine(trial.rawID(), text, issue: 1, year: Int64(-count - number))
                    try await duplicate(of: "a long title with its issue") { try await trial.insert(title) }
                }
            }
            // Integers that are equal when stored as reals.
            let cards: [Int64] = [1 << 53, 1 << 53 + 1, .max, .max - 1, .min, .min + 1]
            for card in cards { try await trial.insert(Press.member(trial.rawID(), "\(card)", card: card)) }
            for card in cards {
                let twin = Press.member(trial.rawID(), "again \(card)", card: card)
                try await duplicate(of: "the card \(card)") { try await trial.insert(twin) }
            }
        }.tests("commit.25"),
    ]

    /// Texts of about the given number of bytes that differ in one byte (at the start, middle, or end) or in length.
    private static func nearly(_ count: Int) -> [String] {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: count)
        let others = [0, count / 2, count - 1].map { place in
            var other = bytes
            other[place] = UInt8(ascii: "b")
            return other
        }
        return ([bytes, bytes + [UInt8(ascii: "a")]] + others).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Trial {
    /// Roots with distinct values in each group. Some have the same concatenated texts, in another order, or with a
    /// text that a store might use as a separator or in place of `null`.
    fileprivate func alike() throws -> [StorageObject] {
        let separators = [" ", ",", ", ", ";", ":", "|", "/", "-", "_", "\t", "\n", "\u{1}", "\u{1F}", "\", \""]
        var places: [(String, String?)] = [
            ("a", "bc"), ("ab", "c"), ("abc", ""), ("", "abc"), ("c", "ab"), ("bc", "a"), ("abc", nil), ("abc", "nil"),
            ("abc", "null"), ("abc", "NULL"),
        ]
        for separator in separators { places += [("x", "y\(separator)z"), ("x\(separator)y", "z")] }
        let issues: [(String, Int64, Int64)] = [
            ("1", 12, 5), ("11", 2, 6), ("a", 1, 12), ("b", 11, 2), ("c-", 1, 7), ("c", -1, 8), ("d", 3, 4),
            ("e", 4, 3), ("f1", 14, 15), ("f", 114, 15),
        ]
        return try places.map { try Shelf(id(), room: $0, label: $1).object }
            + issues.map { Press.magazine(rawID(), $0, issue: $1, year: $2) }
    }
}
