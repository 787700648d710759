internal import LarderData
internal import LarderDomain
private import Synchronization

/// What a law is given: a fresh store, a manager over it, and what to fill them with.
struct Trial: Sendable {
    let store: any Store
    let manager: any PersistencyManager
    private let ids: UUIDv7Generator
    private let open: @Sendable () async throws -> any Store

    static func begin(_ fixture: StoreFixture, scratch: String) async throws -> Trial {
        let chance = Mutex(Chance(seed: 2))
        let ids = UUIDv7Generator(
            now: { Timestamp(microseconds: 1_700_000_000_000_000) }, random: { chance.withLock { $0.next() } })
        let open: @Sendable () async throws -> any Store = { try await fixture.open(Library.schemas(), scratch) }
        return try Trial(store: await open(), ids: ids, open: open)
    }

    private init(
        store: any Store, ids: UUIDv7Generator, open: @escaping @Sendable () async throws -> any Store
    ) throws {
        self.store = store
        self.manager = try Library.manager(over: store)
        self.ids = ids
        self.open = open
    }

    /// A new id, greater than all before it.
    func id<E: Entity>(_ type: E.Type = E.self) -> EntityID<E> { ids.next(type) }

    /// Many new ids, rising.
    func ids<E: Entity>(_ count: Int, _ type: E.Type = E.self) -> [EntityID<E>] { (0..<count).map { _ in id(type) } }

    /// Closes the store, opens it again and goes on with what it kept.
    func reopened<Result>(_ body: (Trial) async throws -> Result) async throws -> Result {
        await store.close()
        let again = try Trial(store: await open(), ids: ids, open: open)
        do {
            let result = try await body(again)
            await again.store.close()
            return result
        } catch {
            await again.store.close()
            throw error
        }
    }
}
