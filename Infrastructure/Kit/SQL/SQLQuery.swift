internal import LarderData
internal import LarderDomain

/// A statement with the values that are bound to it.
struct SQLQuery: Sendable {
    let text: String
    let values: [Value]
}

/// Collects the values of a statement while its text is put together; nothing that a query brings gets into the text.
struct SQLBuilder {
    private(set) var values: [Value] = []
    private var aliases = 0
    private var depth = 0

    /// Binds a value. Returns its placeholder.
    mutating func bind(_ value: Value) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    /// A name for a table within the statement that no other has.
    mutating func alias() -> String {
        aliases += 1
        return "t\(aliases)"
    }

    /// Enters a part of a condition. Databases, and the stack, bound how deep that may go.
    mutating func descend() throws(PersistencyError) {
        depth += 1
        if depth > 200 { throw .unsupportedQuery("a condition that is nested more than 200 times") }
    }

    mutating func ascend() { depth -= 1 }

    func query(_ text: String) -> SQLQuery { SQLQuery(text: text, values: values) }

    func column(_ alias: String, _ name: String) -> String { alias + "." + SQLText.quoted(name) }
}
