/// A statement whose text never changes.
package struct SQLStatementText: Sendable {
    /// Its number within a connection, from 0.
    package let number: Int
    package let text: String
}

/// Numbers fixed statements, so that a connection finds a prepared one without its text.
struct SQLNumbering: Sendable {
    /// Lower numbers are reserved for the statements of transactions.
    private var next = 8

    mutating func statement(_ text: String) -> SQLStatementText {
        defer { next += 1 }
        return SQLStatementText(number: next, text: text)
    }
}
