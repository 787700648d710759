import LarderData
import LarderTesting
import Testing

/// Fails the test if some work on a store costs more statements.
func expectStatements(atMost limit: Int, on store: any Store, _ work: () async throws -> Void) async throws {
    let findings = try await StatementBudget(atMost: limit).findings(on: store, work)
    #expect(findings == [])
}
