import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A shop belongs to its owner, and the owner cannot be changed.
private struct ShopPolicy: AccessPolicy {
    let owner: EntityID<Person>

    var visible: [Predicate<Shop>] {
        let owner = owner
        return [#Predicate { $0.owner == owner }]
    }
    func mayRead(_ shop: Shop) -> Bool { shop.owner == owner }
    func mayCreate(_ shop: Shop) -> Bool { shop.owner == owner }
    func mayUpdate(_ old: Shop, to new: Shop) -> Bool { new.owner == owner }
    func mayDelete(_ shop: Shop) -> Bool { !shop.isOpen }
    func mayFollow(_ change: CommittedChange) -> Bool { change.owner == owner.rawValue }
}

/// A policy for persons whom the caller may only read.
private struct PersonPolicy: AccessPolicy {
    var visible: [Predicate<Person>] { [] }
    var mayCreateSome: Bool { false }
    var mayUpdateSome: Bool { false }
    func mayRead(_ person: Person) -> Bool { true }
    func mayCreate(_ person: Person) -> Bool { false }
    func mayUpdate(_ old: Person, to new: Person) -> Bool { false }
    func mayDelete(_ person: Person) -> Bool { false }
}

private struct ShopList: EntityRepository {
    typealias Model = Shop
    let manager: any PersistencyManager
}

@Suite("A guarded manager")
struct GuardedManagerTests {
    private let fixture: Fixture
    private let ann = Person(1, "Ann")
    private let bea = Person(2, "Bea")

    init() throws { fixture = try Fixture() }

    private func guarded(_ owner: Person) async throws -> GuardedManager {
        for person in [ann, bea] { try await fixture.manager.save(person) }
        return GuardedManager(fixture.manager, policies: PolicySet([ShopPolicy(owner: owner.id)]))
    }

    private var shops: [Shop] { (1...9).map { Shop($0, owner: $0 % 3 == 0 ? bea.id : ann.id) } }

    @Test func `shows the entities that the caller may see, in full pages, totals and counts`() async throws {
        let manager = try await guarded(bea)
        for shop in shops { try await fixture.manager.create(shop) }
        let first = try await manager.read(Query<Shop>(limit: 2, includesTotal: true))
        #expect(first.entities == [shops[2], shops[5]])
        #expect(first.total == 3)
        #expect(try await manager.read(Query<Shop>(limit: 2, after: first.next)).entities == [shops[8]])
        #expect(try await manager.read(shops.map(\.id)).map(\.entity) == [shops[2], shops[5], shops[8]])
        #expect(try await manager.counts(Query<Shop>(), by: .value(\.owner)) == [bea.id: 3])
    }

    @Test(arguments: [false, true])
    func `judges each change by the stored and the requested state`(isInTransaction: Bool) async throws {
        let outer = try await guarded(ann)
        for shop in shops { try await fixture.manager.create(shop) }
        let mine = Shop(1, isOpen: true, owner: ann.id)
        func check(_ manager: any PersistencyManager) async throws {
            await expect(.forbidden) { try await manager.create(Shop(10, owner: bea.id)) }
            await expect(.forbidden) { try await manager.update(Shop(1, owner: bea.id)) }
            await expect(.forbidden) { try await manager.save(Shop(1, owner: bea.id)) }
            await expect(.forbidden) { try await manager.save(Shop(10, owner: bea.id)) }
            for foreign in [Shop(3, owner: ann.id), Shop(3, owner: bea.id)] {
                await expect(.notFound) { try await manager.update(foreign) }
                await expect(.notFound) { try await manager.save(foreign) }
                await expect(.notFound) { try await manager.delete(foreign.id) }
            }
            // Each entity of a batch is checked.
            let allowed = Shop(13, owner: ann.id)
            await expect(.forbidden) { try await manager.create(contentsOf: [allowed, Shop(10, owner: bea.id)]) }
            await expect(.forbidden) { try await manager.save(contentsOf: [allowed, Shop(1, owner: bea.id)]) }
            await expect(.notFound) { try await manager.save(contentsOf: [allowed, Shop(3, owner: ann.id)]) }
            await expect(.notFound) { try await manager.update(Shop(11, owner: ann.id)) }
            await expect(.notFound) { try await manager.delete(Shop(11).id) }
            #expect(try await manager.update(mine).outcome == .updated)
            #expect(try await manager.save(mine).outcome == .unchanged)
            #expect(try await manager.save(Shop(12, owner: ann.id)).outcome == .inserted)
            await expect(.forbidden) { try await manager.delete(mine.id) }
            try await manager.delete(Shop(2).id)
        }
        if isInTransaction {
            try await outer.transaction { manager in try await check(manager) }
        } else {
            try await check(outer)
        }
        let stored = try await fixture.manager.read(Query<Shop>()).entities
        #expect(stored == [mine] + shops.dropFirst(2) + [Shop(12, owner: ann.id)])
    }

    @Test func `live queries and changes show only what the caller may see`() async throws {
        let manager = try await guarded(bea)
        let all = try await fixture.manager.changes()
        let changes = try await manager.changes()
        let repository = ShopList(manager: fixture.manager)
        let ofShops = try await repository.changes()
        var pages = try await manager.observe(Query<Shop>()).makeAsyncIterator()
        #expect(try await pages.next(isolation: #isolation)?.entities == [])
        try await fixture.manager.create(Person(3, "Cid"))
        try await fixture.manager.create(Shop(1, owner: ann.id))
        try await fixture.manager.create(Shop(3, owner: bea.id))
        #expect(try await pages.next(isolation: #isolation)?.entities == [Shop(3, owner: bea.id)])
        fixture.store.close()
        func entities(_ events: any AsyncSequence<ChangeEvent, Never>) async -> [EntityReference] {
            var references: [EntityReference] = []
            for await case .commit(let commit) in events { references += commit.entries.map(\.reference) }
            return references
        }
        let shops = [1, 3].map { EntityReference(Shop($0).id) }
        #expect(await entities(all) == [EntityReference(Person(3, "Cid").id)] + shops)
        #expect(await entities(ofShops) == shops)
        #expect(await entities(changes) == [shops[1]])
    }

    @Test func `refuses an action before an entity is known if no entity permits it`() async throws {
        let manager = GuardedManager(fixture.manager, policies: PolicySet([PersonPolicy()]))
        for (action, id) in [(Forbidden.Action.creating, nil), (.changing, ann.id)] {
            #expect(throws: PersistencyError.self) { try manager.requirePermission(for: action, id, of: Person.self) }
        }
        try manager.requirePermission(for: .deleting, ann.id, of: Person.self)
        await expect(.forbidden) { try manager.requirePermission(for: .creating, nil, of: Shop.self) }
        // A policy without an answer, and a manager without a guard, refuse nothing.
        let shops = ShopList(manager: try await guarded(ann))
        try shops.requirePermission(for: .creating)
        try shops.requirePermission(for: .changing, Shop(1).id)
        try fixture.manager.requirePermission(for: .creating, nil, of: Person.self)
    }

    @Test func `is closed for types without a policy`() async throws {
        let manager = try await guarded(ann)
        await expect(.forbidden) { _ = try await manager.read(ann.id) }
        await expect(.forbidden) { _ = try await manager.read(Query<Person>()) }
        await expect(.forbidden) { _ = try await manager.counts(Query<Person>(), by: .value(\.name)) }
        await expect(.forbidden) { _ = try await manager.observe(Query<Person>()) }
        await expect(.forbidden) { try await manager.create(Person(3, "Cid")) }
        await expect(.forbidden) { try await manager.update(ann) }
        await expect(.forbidden) { try await manager.save(ann) }
        await expect(.forbidden) { try await manager.create(contentsOf: [ann]) }
        await expect(.forbidden) { try await manager.delete(ann.id) }
    }

    @Test func `answers with the versions of the manager below, and expects them`() async throws {
        let manager = try await guarded(ann)
        #expect(try await manager.create(Shop(1, owner: ann.id)).version == 1)
        #expect(try await manager.update(Shop(1, staff: 1, owner: ann.id), expecting: 1).stored.version == 2)
        #expect(try await manager.save(contentsOf: [Shop(1, staff: 2, owner: ann.id)]).map(\.stored.version) == [3])
        let stale = Shop(1, staff: 3, owner: ann.id)
        let error = await persistencyError { try await manager.update(stale, expecting: 2) }
        guard case .conflict(let conflict) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(conflict.found == 3 && conflict.mine as? Shop == stale)
        #expect(conflict.theirs as? Shop == Shop(1, staff: 2, owner: ann.id))
        await expect(.conflict) { try await manager.delete(stale.id, expecting: 4) }
        try await manager.delete(stale.id, expecting: 3)
    }

    @Test func `repeats its judgement after a concurrent change`() async throws {
        let manager = try await guarded(ann)
        let (below, script) = (fixture.manager, fixture.script)
        try await below.create(Shop(1, owner: ann.id))
        /// Changes the shop's owner just before the next commit.
        func robbed(_ shop: Shop, _ body: () async throws -> Void) async throws -> PersistencyError? {
            try await below.save(Shop(1, owner: ann.id))
            let last = script.commits.count
            script.beforeCommit { [bea] _ in
                if script.commits.count == last + 1 { _ = try? await below.update(Shop(1, owner: bea.id)) }
            }
            return await persistencyError(body)
        }
        let mine = Shop(1, staff: 1, owner: ann.id)
        for error in [
            try await robbed(mine) { try await manager.update(mine) },
            try await robbed(mine) { try await manager.save(mine) },
            try await robbed(mine) { try await manager.delete(mine.id) },
        ] { #expect(error.map(Kind.init) == .notFound) }
        #expect(try await below.read(mine.id)?.entity == Shop(1, owner: bea.id))
        let error = try await robbed(mine) { try await manager.update(mine, expecting: nil) }
        #expect(error.map(Kind.init) == .notFound)
    }

    @Test func `repeats its work after a concurrent change of other properties`() async throws {
        let manager = try await guarded(ann)
        let (below, script) = (fixture.manager, fixture.script)
        try await below.create(Shop(1, owner: ann.id))
        let last = script.commits.count
        script.beforeCommit { [ann] _ in
            if script.commits.count == last + 1 { _ = try? await below.update(Shop(1, staff: 7, owner: ann.id)) }
        }
        #expect(try await manager.save(Shop(1, staff: 1, owner: ann.id)).stored.version == 3)
    }

    @Test func `gives up after the attempts of its policy`() async throws {
        let (below, script) = (fixture.manager, fixture.script)
        try await below.create(ann)
        try await below.create(Shop(1, owner: ann.id))
        let last = script.commits.count
        for number in last + 1...last + 3 {
            let conflict = Conflict(EntityReference(Shop(1).id), expected: 1, found: 2)
            script.failCommit(number: number, with: .conflict(conflict))
        }
        let manager = GuardedManager(
            below, policies: PolicySet([ShopPolicy(owner: ann.id)]), retry: RetryPolicy(attempts: 3, sleep: { _ in }))
        await expect(.conflict) { try await manager.save(Shop(1, staff: 1, owner: ann.id)) }
        #expect(script.commits.count == last + 3)
    }

    @Test func `is refused within another transaction`() async throws {
        let manager = try await guarded(ann)
        try await manager.create(Shop(1, owner: ann.id))
        try await manager.transaction { inner in
            await expect(.outside) { try await manager.update(Shop(1, staff: 1, owner: ann.id)) }
            await expect(.outside) { _ = try await manager.read(Shop(1).id) }
            try await manager.transaction { joined in
                try await joined.update(Shop(1, staff: 2, owner: ann.id))
                await expect(.forbidden) { try await joined.update(Shop(1, owner: bea.id)) }
            }
            #expect(try await inner.read(Shop(1).id)?.staff == 2)
        }
    }
}

/// The case of the error.
private enum Kind {
    case forbidden, notFound, conflict, outside, other

    init(_ error: PersistencyError) {
        switch error {
        case .forbidden: self = .forbidden
        case .notFound: self = .notFound
        case .conflict: self = .conflict
        case .outsideTransaction: self = .outside
        default: self = .other
        }
    }
}

private func expect(
    _ kind: Kind, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    let error = await persistencyError(body)
    #expect(error.map(Kind.init) == kind, "\(error as Any)", sourceLocation: sourceLocation)
}
