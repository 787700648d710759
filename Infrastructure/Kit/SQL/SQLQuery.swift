package import LarderData
internal import LarderDomain

/// A statement with the values that are bound to it.
package struct SQLQuery: Sendable {
    package let text: String
    package let values: [Value]
}

/// Collects the values of a statement while its text is built. Values of a query are bound, never part of the text.
struct SQLBuilder {
    private(set) var values: [Value] = []
    let dialect: any SQLDialect
    private var aliases = 0
    private var depth = 0

    init(_ dialect: any SQLDialect) { self.dialect = dialect }

    /// Binds a value. Returns its placeholder.
    mutating func bind(_ value: Value) -> String {
        values.append(value)
        return dialect.placeholder(values.count, SQLKind(value) ?? .blob)
    }

    /// A unique table alias within the statement.
    mutating func alias() -> String {
        aliases += 1
        return "t\(aliases)"
    }

    /// Enters a part of a condition. Databases and the stack limit the depth of nesting.
    mutating func descend() throws(PersistencyError) {
        depth += 1
        if depth > 200 { throw .unsupportedQuery("a condition that is nested more than 200 times") }
    }

    mutating func ascend() { depth -= 1 }

    func query(_ text: String) -> SQLQuery { SQLQuery(text: text, values: values) }

    func column(_ alias: String, _ name: String) -> String { alias + "." + SQLText.quoted(name) }
}
