public import LarderData

/// A limit on the statements that some work may cost, so that a read does not cost one for each row it found.
///
/// ```
/// #expect(try await StatementBudget(atMost: 2).findings(on: store) { _ = try await members.withLoans() } == [])
/// ```
public struct StatementBudget: Sendable {
    /// The store counts no statements: it is not one of SQLite's.
    public struct NotCounted: Error {}

    private let limit: Int

    /// Sets the limit.
    public init(atMost limit: Int) {
        self.limit = limit
    }

    /// Runs some work, and compares its statements with the limit. Work that costs no statement is a finding too: it
    /// used another store.
    ///
    /// - Throws: ``NotCounted``; the errors of the work.
    public func findings(on store: any Store, _ work: () async throws -> Void) async throws -> [String] {
        let count = try await Self.count(on: store, work)
        if count == 0 { return ["no statement was counted, and the budget is \(limit)"] }
        return count > limit ? ["\(count) statements, and the budget is \(limit)"] : []
    }

    /// The number of statements that some work costs on a store.
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
