package import LarderData
package import LarderDomain

/// A statement, and the evaluation of its rows.
package struct SQLStep<Source: RowSource> {
    package let text: String
    package let values: [Value]
    /// Passes rows to a function, from a statement that loads many rows and cannot be sent with others.
    package private(set) var loads: ((([Value], [Value]) -> Void) -> Void)?
    package let evaluate: (Source) throws(PersistencyError) -> Void

    package init(
        _ text: String, _ values: [Value] = [],
        _ evaluate: @escaping (Source) throws(PersistencyError) -> Void = { _ in }
    ) {
        (self.text, self.values, self.evaluate) = (text, values, evaluate)
    }

    package init(
        _ statement: SQLStatementText, _ values: [Value] = [],
        _ evaluate: @escaping (Source) throws(PersistencyError) -> Void = { _ in }
    ) {
        self.init(statement.text, values, evaluate)
    }

    /// Loads rows. Each is passed in two parts, because joining them copies their values.
    package init(_ text: String, loading rows: @escaping (([Value], [Value]) -> Void) -> Void) {
        self.init(text)
        loads = rows
    }
}

/// A connection that runs the statements of reads.
package protocol SQLSession: AnyObject {
    associatedtype Source: RowSource

    var dialect: any SQLDefinitionDialect { get }
    /// The rows of lent aggregates.
    var rowBuffer: RowBuffer { get set }
    var isInTransaction: Bool { get }

    /// Whether a statement failed because a sum, or in SQLite a partial sum, has more than 64 bits.
    func isOverflow(_ error: PersistencyError) -> Bool

    /// Runs statements, and evaluates their rows in order, up to the first error.
    func run(_ steps: [SQLStep<Source>]) throws(PersistencyError)

    /// Reads from one snapshot. Rolls back after an error.
    ///
    /// - Parameter body: Runs the statements that begin and end the transaction with the first and the last ones of its own.
    func inSnapshot(
        _ body: (_ begin: [SQLStep<Source>], _ commit: [SQLStep<Source>]) throws(PersistencyError) -> Void
    ) throws(PersistencyError)

    /// Copies the owned objects of rows in the buffer, at any depth, and all links.
    ///
    /// - Parameter end: Statements after the last one.
    func copyLists(
        of owners: Range<Int>, _ plan: SQLTablePlan, _ content: ReadRequest.Content, end: [SQLStep<Source>]
    ) throws(PersistencyError)
}
