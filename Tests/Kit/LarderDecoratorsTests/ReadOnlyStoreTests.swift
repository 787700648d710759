import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A read-only store")
struct ReadOnlyStoreTests {
    @Test func `refuses commits`() async throws {
        let store = ReadOnlyStore(MemoryStore(try SchemaSet([])))
        do {
            _ = try await store.commit(ChangeSet())
            Issue.record("the commit was not refused")
        } catch .unavailable(let cause) {
            #expect(cause.reason == .readOnly)
        }
    }
}
