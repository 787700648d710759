public import LarderData

/// A limit on the number of statements for some work, so that a read does not need one for each row that it finds.
///
/// ```
/// #expect(try await StatementBudget(atMost: 2).findings(on: store) { _ = try await members.withLoans() } == [])
/// ```
public struct StatementBudget: Sendable {
    /// The store is not a SQLite store, and counts no statements.
    public struct NotCounted: Error {}

    private let limit: Int

    /// Sets the limit.
    public init(atMost limit: Int) {
        self.limit = limit
    }

    /// Does some work, and compares its number of statements with the limit. Work without statements is a finding too:
    /// it used another store.
    ///
    /// - Throws: ``NotCounted``; the errors of the work.
    public func findings(on store: any Store, _ work: () async throws -> Void) async throws -> [String] {
        let count = try await Self.count(on: store, work)
        if count == 0 { return ["no statement was counted, and the budget is \(limit)"] }
        return count > limit ? ["\(count) statements, and the budget is \(limit)"] : []
    }

    /// The number of statements that a store executes for some work.
    ///
    /// - Throws: ``NotCounted``; the errors of the work.
    public static func count(on store: any Store, _ work: () async throws -> Void) async throws -> Int {
        func statements() async throws -> Int {
            let count = await store.feature((any MeasuredStore).self)?.measurements().statements
            guard let count else { throw NotCounted() }
            return count
        }
        let before = try await statements()
        try await work()
        return try await statements() - before
    }
}
