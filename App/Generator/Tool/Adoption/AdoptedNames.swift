/// Swift names for those of a database.
enum AdoptedNames {
    /// Names of variables and of collections that would hide another one.
    private static let hidden: Set = [
        "manager", "number", "example", "options", "items", "added", "invalid", "change", "list", "add", "remove",
        "service", "stranger", "seen", "read", "created", "again", "replaced", "path", "user", "bike", "adoption",
    ]

    /// The words of a name in ASCII and lower case. A single letter belongs to the next word: the name of an entity's table
    /// has an underscore before each upper-case letter.
    static func words(_ name: String) -> [String] {
        let parts = name.split { !$0.isLetter && !$0.isNumber }.map { ServiceName.ascii(String($0)) }
        let words = parts.flatMap(EntityName.words).filter { !$0.isEmpty }
        return words.reduce(into: []) { words, word in
            if let last = words.last, last.count == 1 {
                words[words.count - 1] = last + word
            } else {
                words.append(word)
            }
        }
    }

    /// The name of an entity for a table, with a prefix if the plain one exists; `nil` if both do.
    static func entity(_ table: String, _ place: Int, isTaken: (EntityName) -> Bool) -> EntityName? {
        var words = words(table)
        if words.first?.first?.isLetter != true { words.insert("table" + (words.isEmpty ? "\(place)" : ""), at: 0) }
        let last = words.removeLast()
        let (one, many) = (camel(words + [Plural.singular(last)]), camel(words + [last]))
        return [(one, many), ("Legacy" + one, "Legacy" + many)].lazy.compactMap { one, many in
            try? EntityName(one, plural: one == many ? nil : many)
        }.first { name in
            !Keywords.all.contains(name.variable) && !hidden.contains(name.variable) && name.collection != "changes"
                && !isTaken(name)
        }
    }

    /// The name of a field for a column, which differs from those of other fields.
    ///
    /// - Parameter isReference: Whether `_id` at its end is omitted, which the mapping adds.
    static func field(_ column: String, _ place: Int, isReference: Bool, _ used: inout Set<String>) -> String {
        var words = words(column)
        if words == ["id"] { words = ["legacy", "key"] }
        // Errors name the member of a column without `_id`, which only references have.
        if words.last == "id" { words = words.dropLast() + (isReference ? [] : ["key"]) }
        if words.first?.first?.isLetter != true { words.insert("column" + (words.isEmpty ? "\(place)" : ""), at: 0) }
        var name = camel(words).lowercasedFirst
        if Field.taken.contains(name) || Keywords.all.contains(name) { name += isReference ? "Reference" : "Value" }
        var (candidate, number) = (name, 1)
        while true {
            let column = EntityName.words(candidate).joined(separator: "_")
            let columns = isReference ? [column, column + "_id"] : [column]
            if used.isDisjoint(with: columns) {
                used.formUnion(columns)
                return candidate
            }
            number += 1
            candidate = "\(name)\(number)"
        }
    }

    private static func camel(_ words: [String]) -> String { words.map(\.capitalizedFirst).joined() }
}
