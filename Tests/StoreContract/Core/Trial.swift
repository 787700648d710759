internal import LarderData
internal import LarderDomain
private import Synchronization

/// What a law is given: a fresh store, a manager over it, and what to fill them with.
struct Trial: Sendable {
    let store: any Store
    let manager: any PersistencyManager
    /// What opened the store, for laws that need more stores of its kind.
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

    /// A new id, greater than all before it.
    func id<E: Entity>(_ type: E.Type = E.self) -> EntityID<E> { ids.next(type) }

    /// Many new ids, rising.
    func ids<E: Entity>(_ count: Int, _ type: E.Type = E.self) -> [EntityID<E>] { (0..<count).map { _ in id(type) } }

    /// Closes the store, opens it again and goes on with what it kept.
    func reopened<Result>(_ body: (Trial) async throws -> Result) async throws -> Result {
        await store.close()
        return try await opened(scratch, body)
    }

    /// Goes on with another store of the same kind: an empty one, unless something is prepared for it.
    ///
    /// - Parameter prepare: Is told the scratch names of this store and of the other one, which is not open yet.
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

    /// Opens stores of the same kind, one after the other, each with other schemas and with what the one before kept.
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
