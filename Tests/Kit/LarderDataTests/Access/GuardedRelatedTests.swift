import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The caller sees the persons with some names, and all shops.
private struct SomePersons: AccessPolicy {
    let names: [String]

    var visible: [Predicate<Person>] {
        let names = names
        return [#Predicate { names.contains($0.name) }]
    }
    func mayRead(_ person: Person) -> Bool { names.contains(person.name) }
    func mayCreate(_ person: Person) -> Bool { false }
    func mayUpdate(_ old: Person, to new: Person) -> Bool { false }
    func mayDelete(_ person: Person) -> Bool { false }
}

private struct AllShops: AccessPolicy {
    var visible: [Predicate<Shop>] { [] }
    func mayRead(_ shop: Shop) -> Bool { true }
    func mayCreate(_ shop: Shop) -> Bool { true }
    func mayUpdate(_ old: Shop, to new: Shop) -> Bool { true }
    func mayDelete(_ shop: Shop) -> Bool { true }
}

/// The caller sees open shops.
private struct OpenShops: AccessPolicy {
    var visible: [Predicate<Shop>] { [#Predicate { $0.isOpen }] }
    func mayRead(_ shop: Shop) -> Bool { shop.isOpen }
    func mayCreate(_ shop: Shop) -> Bool { false }
    func mayUpdate(_ old: Shop, to new: Shop) -> Bool { false }
    func mayDelete(_ shop: Shop) -> Bool { false }
}

@Suite("A condition on other entities, or a save, through a guarded manager,")
struct GuardedRelatedTests {
    private let below: StoreManager
    private let ann = Person(1, "Ann")
    private let bea = Person(2, "Bea")

    init() async throws {
        let mappers = try MapperSet(Fixture.mappers)
        below = StoreManager(MemoryStore(mappers.schemas), mappers: mappers)
        for person in [ann, bea] { try await below.create(person) }
        for (number, owner) in [ann.id, bea.id, nil].enumerated() {
            try await below.create(Shop(UInt64(number + 1), owner: owner))
        }
    }

    private func found(_ query: Query<Shop>, in manager: any PersistencyManager) async throws -> [UInt64] {
        try await manager.read(query).items.map(\.id.rawValue.low)
    }

    @Test(arguments: [false, true])
    func `sees only what the caller may see, on every level`(isInTransaction: Bool) async throws {
        let guarded = GuardedManager(below, policies: PolicySet([SomePersons(names: ["Ann"]), AllShops()]))
        let owned = Query<Shop>(related: [.to(\.owner, Query<Person>())])
        let others = Query<Shop>(related: [.not(.to(\.owner, Query<Person>()))])
        let neighbours = Query<Shop>(related: [
            .to(\.owner, Query(related: [.from(\Shop.owner, Query(related: [.to(\.owner, Query<Person>())]))]))
        ])
        func check(_ manager: any PersistencyManager) async throws {
            #expect(try await found(owned, in: manager) == [1])
            #expect(try await found(others, in: manager) == [2, 3])
            #expect(try await found(neighbours, in: manager) == [1])
            #expect(try await manager.counts(owned, by: .value(\.owner)) == [ann.id: 1])
            #expect(try await manager.aggregates(owned, of: .count).map(\.values) == [1])
        }
        #expect(try await found(owned, in: below) == [1, 2])
        if isInTransaction { try await guarded.transaction { try await check($0) } } else { try await check(guarded) }
    }

    @Test func `sees only what the caller may see, of the others of others, and of those that refer`() async throws {
        for (number, former) in [(4, 1), (5, 2)] as [(UInt64, UInt64)] {
            try await below.create(Shop(number, branchOf: Shop(former).id))
        }
        let branches = Query<Shop>(related: [.to(\.branchOf, Query(related: [.to(\.owner, Query<Person>())]))])
        let guarded = GuardedManager(below, policies: PolicySet([SomePersons(names: ["Ann"]), AllShops()]))
        #expect(try await found(branches, in: below) == [4, 5])
        #expect(try await found(branches, in: guarded) == [4])
        let owners = Query<Person>(related: [.from(\Shop.owner)])
        let outside = GuardedManager(below, policies: PolicySet([SomePersons(names: ["Ann", "Bea"]), OpenShops()]))
        #expect(try await below.read(owners).entities == [ann, bea])
        #expect(try await outside.read(owners).entities == [])
        try await below.create(Shop(6, isOpen: true, owner: bea.id))
        #expect(try await outside.read(owners).entities == [bea])
    }

    @Test func `sees only what the caller may see, in a live query`() async throws {
        let guarded = GuardedManager(below, policies: PolicySet([SomePersons(names: ["Ann"]), AllShops()]))
        let owned = Query<Shop>(related: [.to(\.owner, Query<Person>())])
        var pages = try await guarded.observe(owned).makeAsyncIterator()
        #expect(try await pages.next(isolation: #isolation)?.items.map(\.id) == [Shop(1).id])
    }

    @Test func `is forbidden for a type without a policy`() async throws {
        let guarded = GuardedManager(below, policies: PolicySet([AllShops()]))
        let error = await persistencyError {
            _ = try await guarded.read(Query<Shop>(related: [.to(\.owner, Query<Person>())]))
        }
        guard case .forbidden = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test func `by a unique property needs the permissions of a creation or an update`() async throws {
        let guarded = GuardedManager(below, policies: PolicySet([SomePersons(names: ["Ann"])]))
        func error(_ name: String) async -> PersistencyError? {
            await persistencyError { try await guarded.save(Person(9, name), by: \.name) }
        }
        guard case .forbidden(let change)? = await error("Ann"), case .forbidden(let creation)? = await error("Cid"),
            case .forbidden(let hidden)? = await error("Bea")
        else { return #expect(Bool(false)) }
        #expect(change.action == .changing && creation.action == .creating && hidden.action == .creating)
        #expect(try await below.save(Person(9, "Bea"), by: \.name).stored.id == bea.id)
    }

    @Test func `has no limit, cursor or search`() async throws {
        for query in [
            Query<Person>(limit: 1), Query<Person>(after: Cursor(rawValue: "x")), Query<Person>(search: "ann"),
        ] {
            let error = await persistencyError { _ = try await found(Query(related: [.to(\.owner, query)]), in: below) }
            guard case .unsupportedQuery(let reason) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(reason == "a limit, a cursor or a search in a condition on \(Person.entityName)")
        }
    }

    @Test func `keeps its cursors, which another condition refuses`() async throws {
        var query = Query<Shop>(related: [.to(\.owner, Query<Person>())], limit: 1)
        query.after = try await below.read(query).next
        try await below.create(Person(3, "Cid"))
        #expect(try await found(query, in: below) == [2])
        query.related = [.to(\.owner, Query(#Predicate { $0.name == "Bea" }))]
        let error = await persistencyError { _ = try await found(query, in: below) }
        guard case .unsupportedQuery = error else { return #expect(Bool(false), "\(error as Any)") }
    }
}
