import LarderData
import LarderDomain
import LarderInfrastructure

/// A manager over an empty memory store, with a record of the calls to the store.
struct Fixture {
    let store: MemoryStore
    let script = MemoryStore.Script()
    let manager: StoreManager

    init(retry: RetryPolicy = RetryPolicy(sleep: { _ in })) throws {
        let mappers = try MapperSet(Self.mappers)
        store = MemoryStore(mappers.schemas, script: script)
        manager = StoreManager(store, mappers: mappers, retry: retry)
    }

    static let mappers: [any EntityMapper.Type] = [
        ShopMapper.self, PersonMapper.self, SignMapper.self, RatingMapper.self,
    ]

    /// The change sets that the store was asked to commit after the given number of them.
    func commits(after count: Int) -> [ChangeSet] { Array(script.commits.dropFirst(count)) }
}

/// The kit's error that a body throws, or nil if it throws none.
func persistencyError(_ body: () async throws -> Void) async -> PersistencyError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? PersistencyError
    }
}
