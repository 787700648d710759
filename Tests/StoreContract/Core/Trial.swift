internal import LarderData
internal import LarderDomain
private import Synchronization

/// The arguments of a law: a fresh store, a manager over it, and sources of ids and values.
struct Trial: Sendable {
    let store: any Store
    let manager: any PersistencyManager
    /// The fixture that opened the store, for laws that need more stores of its kind.
    let fixture: StoreFixture
    private let scratch: String
    private let ids: UUIDv7Generator

    static func begin(_ fixture: StoreFixture, scratch: String) async throws -> Trial {
        let chance = Mutex(Chance(seed: 2))
        let ids = UUIDv7Generator(
            now: { Timestamp(microseconds: 1_700_000_000_000_000) }, random: { chance.withLock { $0.next() } })
        return try Trial(fixture, scratch, await fixture.open(Library.schemas(), scratch), ids)
    }

    private init(_ fixture: StoreFixture, _ scratch: String, _ store: any Store, _ ids: UUIDv7Generator) throws {
        (self.fixture, self.scratch, self.store, self.ids) = (fixture, scratch, store, ids)
        manager = try Library.manager(over: store)
    }

    /// A new id, greater than all earlier ones.
    func id<E: Entity>(_ type: E.Type = E.self) -> EntityID<E> { ids.next(type) }

    /// New ids, in ascending order.
    func ids<E: Entity>(_ count: Int, _ type: E.Type = E.self) -> [EntityID<E>] { (0..<count).map { _ in id(type) } }

    /// Closes and reopens the store, and continues with the reopened store.
    func reopened<Result>(_ body: (Trial) async throws -> Result) async throws -> Result {
        await store.close()
        return try await opened(scratch, body)
    }

    /// Continues with another store of the same kind: an empty one, unless `prepare` copies data to it.
    ///
    /// - Parameter prepare: Receives the scratch names of this store and of the other store, which is not open yet.
    func fresh(
        _ name: String, prepare: (_ scratch: String, _ other: String) async throws -> Void = { _, _ in },
        _ body: (Trial) async throws -> Void
    ) async throws {
        let other = "\(scratch)-\(name)"
        do {
            try await prepare(scratch, other)
            try await opened(other, body)
        } catch {
            await fixture.discard(other)
            throw error
        }
        await fixture.discard(other)
    }

    /// Opens a sequence of stores of the same kind, each with different schemas and the data of the preceding store.
    func succession(_ openings: [(schemas: SchemaSet, body: (any Store) async throws -> Void)]) async throws {
        let other = "\(scratch)-succession"
        func run() async throws {
            for (schemas, body) in openings {
                let store = try await fixture.open(schemas, other)
                do {
                    try await body(store)
                    await store.close()
                } catch {
                    await store.close()
                    throw error
                }
            }
        }
        do {
            try await run()
            await fixture.discard(other)
        } catch {
            await fixture.discard(other)
            throw error
        }
    }

    private func opened<Result>(_ scratch: String, _ body: (Trial) async throws -> Result) async throws -> Result {
        let again = try Trial(fixture, scratch, await fixture.open(Library.schemas(), scratch), ids)
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
