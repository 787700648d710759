import LarderStoreContract
import Testing
@testable import LarderStoreContractTests

struct DifferentialMutantTests {
    @Test(arguments: Mutation.querying + Mutation.ordering.filter { $0.groups == [.order] })
    func `a store that answers queries wrongly is found out`(mutation: Mutation) async throws {
        let report = try await DifferentialRun(queries: 3000, complaintsAtMost: 1).judge([.mutant(mutation)])
        #expect(!report.complaints.isEmpty)
    }
}
