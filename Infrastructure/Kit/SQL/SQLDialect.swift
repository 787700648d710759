package import LarderData
package import LarderDomain

/// The differences between databases in the SQL that is built from schemas and conditions.
package protocol SQLDialect: Sendable {
    /// The prefix of the names that the database reserves, and its reserved names of columns.
    var reservedPrefix: String { get }
    var reservedColumns: Set<String> { get }
    /// The maximum number of bytes of a name; `nil` if there is no limit.
    var maximumName: Int? { get }
    /// Whether an index finds `null` only by `IS NULL`, so that `=` is used where a result of `null` is equivalent.
    var prefersEquality: Bool { get }

    /// The placeholder of a value.
    func placeholder(_ number: Int, _ kind: SQLKind) -> String

    /// The name of the type of a kind of values.
    func type(_ kind: SQLKind) -> String

    /// The part of a text or blob that an index contains; `nil` if it contains the value.
    func start(of value: String, _ kind: SQLKind) -> String?

    /// A test whether two values are equal, or both `null`.
    func areSame(_ lhs: String, _ rhs: String) -> String

    /// The negation of ``areSame(_:_:)``.
    func differ(_ lhs: String, _ rhs: String) -> String

    func contains(_ text: String, _ part: String) -> String

    /// A test whether a row of words has entries with all of these starts; see ``WordText``.
    ///
    /// - Parameter bind: Returns the placeholder of a value.
    func hasWords(
        _ starts: [String], in table: SQLTable, _ alias: String, bind: (Value) -> String
    ) -> String

    /// The rank of words by the starts of their entries.
    func rank(_ words: String, _ starts: [String], bind: (Value) -> String) -> String

    /// The statements of the index of words of a table; `nil` if the database maintains it, or has none.
    func wordIndex(of table: SQLTable) -> SQLWordIndex?

    /// A term of an order, with `null` first in ascending order and last in descending order.
    func term(_ text: String, isDescending: Bool) -> String

    /// The sum of an integer column; 0 without rows.
    func sum(_ column: String) -> String

    /// The day, as a text, a number of days after another one.
    func day(_ day: String, _ days: String) -> String

    /// The result of an operation on numbers of one kind.
    func arithmetic(_ lhs: String, _ operation: Arithmetic, _ rhs: String, _ kind: SQLKind) -> String

    /// Whether the result of an arithmetic operation, nested or not, is defined; never unknown.
    func isDefined(_ number: String, _ kind: SQLKind) -> String

    /// The bytes of a list of values that is bound as one value with the placeholder of ``array(_:_:)``; `nil` if the
    /// database has no arrays.
    func bytes(ofArray values: [Value], _ kind: SQLKind) -> [UInt8]?

    /// The placeholder of an array.
    func array(_ number: Int, _ kind: SQLKind) -> String

    /// Selects the ids of a list that is bound as one value.
    func ids(_ number: Int) -> String

    /// The value of a list of ids.
    func list(_ ids: some Collection<RawID>) -> Value

    // The fixed statements of a table.

    /// Whether a statement writes one row, and finds no root with another version than the expected one. Otherwise, each
    /// of its values is an array with an element for each row.
    var writesSingleRows: Bool { get }

    /// Selects rows, as `t0`, whose column equals an id of the list that is bound as the first value.
    ///
    /// - Parameter isNumbered: Whether each row follows the index of the id in the list.
    func rows(_ columns: String, of table: String, by column: String, isNumbered: Bool) -> String

    /// Inserts rows.
    ///
    /// - Parameter key: The columns by which they replace others; `nil` if rows whose ids exist are not inserted.
    func insertion(into table: String, _ columns: [String], _ kinds: [SQLKind], replacing key: [String]?) -> String
}

extension SQLDialect {
    /// The comparison of a column with the ids of the rows that a fixed statement writes, which are its first value.
    package var keys: String { writesSingleRows ? "= \(placeholder(1, .id))" : "= ANY (\(array(1, .id)))" }

    /// The rows that a fixed statement writes: the table with them, for arrays, and their values.
    func given(_ kinds: [SQLKind]) -> (table: String?, values: [String]) {
        let numbers = 1...kinds.count
        if writesSingleRows { return (nil, zip(numbers, kinds).map(placeholder)) }
        let names = numbers.map { "value_\($0)" }
        let arrays = zip(numbers, kinds).map(array).joined(separator: ", ")
        return ("unnest(\(arrays)) AS given (\(names.joined(separator: ", ")))", names.map { "given." + $0 })
    }

    /// Whether two columns are equal, by an index that contains the starts of their values, too.
    func areEqual(_ lhs: String, _ rhs: String, _ kind: SQLKind) -> String {
        let test = "\(lhs) = \(rhs)"
        guard let left = start(of: lhs, kind), let right = start(of: rhs, kind) else { return test }
        return "\(left) = \(right) AND \(test)"
    }
}

extension SQLDialect where Self == SQLiteDialect {
    static var sqlite: SQLiteDialect { SQLiteDialect() }
}

struct SQLiteDialect: SQLDialect {
    var reservedPrefix: String { "sqlite_" }
    var reservedColumns: Set<String> { [] }
    var maximumName: Int? { nil }
    var prefersEquality: Bool { false }

    func placeholder(_ number: Int, _ kind: SQLKind) -> String { "?\(number)" }

    func type(_ kind: SQLKind) -> String {
        switch kind {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob, .id: "BLOB"
        }
    }

    func start(of value: String, _ kind: SQLKind) -> String? { nil }

    func day(_ day: String, _ days: String) -> String { "date(\(day), \(days) || ' days')" }

    func areSame(_ lhs: String, _ rhs: String) -> String { "\(lhs) IS \(rhs)" }

    func differ(_ lhs: String, _ rhs: String) -> String { "\(lhs) IS NOT \(rhs)" }

    func contains(_ text: String, _ part: String) -> String { "instr(\(text), \(part)) > 0" }

    func hasWords(
        _ starts: [String], in table: SQLTable, _ alias: String, bind: (Value) -> String
    ) -> String {
        guard SQLiteLibrary.indexesWords, let index = table.wordIndex.map(SQLText.quoted) else {
            let words = alias + "." + SQLText.quoted(table.schema.columns[0].name)
            return starts.map { contains(words, bind(.text($0))) }.joined(separator: " AND ")
        }
        let words = starts.compactMap(WordText.Start.init).map { "\"\($0.word)\"" + ($0.isWhole ? "" : " *") }
        let query = words.joined(separator: " AND ")
        return "\(alias).\"position\" IN (SELECT rowid FROM \(index) WHERE \(index) MATCH \(bind(.text(query))))"
    }

    func rank(_ words: String, _ starts: [String], bind: (Value) -> String) -> String {
        "\(SQLiteLibrary.rank)(\(words), \(bind(.text(starts.joined()))))"
    }

    func wordIndex(of table: SQLTable) -> SQLWordIndex? {
        guard SQLiteLibrary.indexesWords, let name = table.wordIndex else { return nil }
        return SQLWordIndex(name, of: table)
    }

    func term(_ text: String, isDescending: Bool) -> String { text + (isDescending ? " DESC" : "") }

    func sum(_ column: String) -> String { "coalesce(sum(\(column)), 0)" }

    func arithmetic(_ lhs: String, _ operation: Arithmetic, _ rhs: String, _ kind: SQLKind) -> String {
        "(\(lhs) \(operation.rawValue) \(rhs))"
    }

    /// An integer that overflows becomes a real number, and every operation on it keeps that type (`%` too), so one
    /// check of the result is sufficient. Division by zero and NaN are `NULL`.
    func isDefined(_ number: String, _ kind: SQLKind) -> String {
        kind == .integer ? "typeof(\(number)) = 'integer'" : "\(number) IS NOT NULL"
    }

    func bytes(ofArray values: [Value], _ kind: SQLKind) -> [UInt8]? { nil }

    func array(_ number: Int, _ kind: SQLKind) -> String { placeholder(number, kind) }

    func ids(_ number: Int) -> String {
        let list = SQLPackedIDs(placeholder: "?\(number)")
        return "\(list.with) SELECT \(list.id) FROM ids"
    }

    func list(_ ids: some Collection<RawID>) -> Value { .blob(RawID.packed(ids)) }

    var writesSingleRows: Bool { true }

    func rows(_ columns: String, of table: String, by column: String, isNumbered: Bool) -> String {
        SQLPackedIDs.join((isNumbered ? SQLPackedIDs.number + ", " : "") + columns, from: table, on: column)
    }

    func insertion(into table: String, _ columns: [String], _ kinds: [SQLKind], replacing key: [String]?) -> String {
        "INSERT \(key == nil ? "" : "OR REPLACE ")INTO \(SQLText.quoted(table)) (\(SQLText.quoted(columns))) VALUES "
            + "(\(SQLText.placeholders(1...columns.count)))"
    }
}
