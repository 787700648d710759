import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Migrations on each store.
@Suite(.serialized) struct MigrationTests {
    @Test func `each kind of change leads to the data and the structure of a new store`() async throws {
        for evolved in try Evolved.cases() {
            do {
                try await MigrationBench.check(evolved)
            } catch {
                Issue.record("\(evolved.name): \(error)")
            }
        }
    }
}
