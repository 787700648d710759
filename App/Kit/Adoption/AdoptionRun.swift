internal import LarderData
public import LarderDomain

/// A copy of the rows of a former database into a store, which a repetition brings up to date.
public struct AdoptionRun {
    private let source: SourceDatabase
    private let manager: any PersistencyManager

    /// - Parameters:
    ///   - text: The database: `sqlite:PATH`, or a connection string of PostgreSQL without a password.
    ///   - manager: The manager of the store.
    /// - Throws: `CommandFailure` for another text.
    public init(from text: String, to manager: any PersistencyManager) throws {
        source = try SourceDatabase(text)
        self.manager = manager
    }

    /// Copies the rows in batches, each in one commit, reads the source and the store again, and prints a table.
    ///
    /// Needs the memory of a batch; for tables that refer to themselves or to each other, also that of the ids of new rows.
    ///
    /// - Parameter tables: In the order of their references: a table follows its targets, unless the reference is set later.
    /// - Throws: `CommandFailure` if a row was refused, or if source and store differ at the end.
    public func copy(_ tables: [AdoptedTable]) async throws {
        var copies = tables.map { TableCopy($0, from: source, to: manager) }
        for index in copies.indices { try await copies[index].first() }
        for index in copies.indices where !copies[index].table.later.isEmpty { try await copies[index].save() }
        for index in copies.indices { try await copies[index].verify() }
        let numbers = ["Rows", "Copied", "Unchanged", "Changed", "Refused", "In store"]
        var output = TextTable(
            [.init("Table", isKey: true)] + numbers.map { .init($0, isNumber: true) } + [
                .init("Digest"), .init("Store"),
            ])
        for line in copies.flatMap(\.lines) { output.add(line) }
        try Terminal.output(output)
        for copy in copies where copy.others > 0 {
            Terminal.warn(
                "\(copy.table.name): the store has \(counted(copy.others, "object")) more than the accepted rows"
            )
        }
        guard copies.allSatisfy(\.isComplete) else {
            throw CommandFailure(
                .checkFailed, "the store has not all rows", advice: "Correct the refused ones, and repeat.")
        }
    }
}
