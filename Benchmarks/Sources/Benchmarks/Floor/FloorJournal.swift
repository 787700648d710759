/// Appends rows to the journal of Larder's tables, as each commit of a store does.
struct FloorJournal {
    private let statement: FloorStatement

    init(_ connection: OpaquePointer) throws {
        statement = try FloorStatement(
            """
            INSERT INTO larder_journal (commit_id, committed_at, total, changes)
            VALUES (randomblob(16), 1700000000000000, 1, randomblob(16 * ?1))
            """, connection)
    }

    /// Appends a row with some ids, in the open transaction.
    func append(ids: Int) throws {
        statement.bind(1, ids)
        try statement.run()
    }
}
