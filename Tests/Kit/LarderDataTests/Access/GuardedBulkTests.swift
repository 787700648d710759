import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The caller sees open shops, and may update those without staff by query.
private struct OpenShops: AccessPolicy {
    var allowsQueries = true
    var allowsStaff = false
    var mayFollowRemovals = true

    var visible: [Predicate<Shop>] { [#Predicate { $0.isOpen }] }
    var updatableByQuery: [Predicate<Shop>]? {
        if !allowsQueries { return nil }
        return allowsStaff ? [] : [#Predicate { $0.staff == nil }]
    }
    func mayRead(_ shop: Shop) -> Bool { shop.isOpen }
    func mayCreate(_ shop: Shop) -> Bool { false }
    func mayUpdate(_ old: Shop, to new: Shop) -> Bool { false }
    func mayDelete(_ shop: Shop) -> Bool { false }
}

/// Checks nothing, and forwards every call.
private struct Forwarding: ManagerDecorator {
    let base: any PersistencyManager

    func decorating(_ manager: any PersistencyManager) -> any PersistencyManager { Forwarding(base: manager) }
}

@Suite("An update by query")
struct GuardedBulkTests {
    private let below: StoreManager

    init() async throws {
        let mappers = try MapperSet(Fixture.mappers)
        below = StoreManager(MemoryStore(mappers.schemas), mappers: mappers)
        for number in 1...6 as ClosedRange<UInt64> {
            try await below.create(Shop(number, staff: number > 4 ? 7 : nil, isOpen: number % 2 == 0))
        }
    }

    @Test func `changes only what a guarded caller may see and update by query`() async throws {
        let guarded = GuardedManager(below, policies: PolicySet([OpenShops()]))
        #expect(try await guarded.update(matching: Query<Shop>()) { $0.set(\.staff, to: 9) } == 2)
        #expect(try await below.read(Query<Shop>()).items.map(\.staff) == [nil, 9, nil, 9, 7, 7])
    }

    @Test func `changes all that a guarded caller may see, if the policy has no further predicate`() async throws {
        let guarded = GuardedManager(below, policies: PolicySet([OpenShops(allowsStaff: true)]))
        #expect(try await guarded.update(matching: Query<Shop>()) { $0.set(\.staff, to: 9) } == 3)
        #expect(try await below.read(Query<Shop>()).items.map(\.staff) == [nil, 9, nil, 9, 7, 9])
    }

    @Test func `does not tell a guarded follower how many entities it has changed`() async throws {
        let guarded = GuardedManager(below, policies: PolicySet([OpenShops()]))
        var events = try await guarded.changes(after: nil).makeAsyncIterator()
        try await below.update(matching: Query<Shop>()) { $0.set(\.staff, to: 9) }
        guard case .commit(let commit)? = await events.next(isolation: #isolation) else {
            return #expect(Bool(false), "nothing was told")
        }
        #expect(commit.bulk == CommittedBulkUpdate(of: "shop", count: nil))
        #expect(PolicySet([OpenShops(mayFollowRemovals: false)]).followed(commit) == nil)
    }

    @Test func `is forbidden without a policy that says what may be updated`() async throws {
        for policies in [PolicySet([OpenShops(allowsQueries: false)]), PolicySet([])] {
            let guarded = GuardedManager(below, policies: policies)
            let error = await persistencyError {
                try await guarded.update(matching: Query<Shop>()) { $0.set(\.staff, to: 9) }
            }
            guard case .forbidden = error else { return #expect(Bool(false), "\(error as Any)") }
        }
    }

    @Test func `is refused by a decorator that does not forward it`() async throws {
        let error = await persistencyError {
            try await Forwarding(base: below).update(matching: Query<Shop>()) { $0.set(\.staff, to: 9) }
        }
        #expect("\(error as Any)".contains("an update of shop by query through Forwarding"))
    }

    @Test func `does not change the owner, also where it is declared as settable`() async throws {
        let error = await persistencyError {
            try await below.update(matching: Query<Shop>()) { $0.set(\.owner, to: nil) }
        }
        #expect("\(error as Any)".contains("owner"))
    }

    @Test func `is refused by stores that do not apply it, and for columns and values that are not declared`()
        async throws
    {
        let (schemas, schema) = (try MapperSet(Fixture.mappers).schemas, ShopMapper.mapping.schema)
        for (column, allowsBulk) in [(0, false), (0, true), (99, true)] {
            let change = BulkChange(schema, where: .always(true), [ColumnAssignment(column: column, .set(.null))])
            #expect(ChangeSet(bulk: change) != ChangeSet())
            let error = await persistencyError {
                try ChangeSet(bulk: change).check(against: schemas, allowsBulk: allowsBulk)
            }
            switch error {
            case .unsupportedQuery: #expect(!allowsBulk)
            case .invalid: #expect(allowsBulk)
            default: Issue.record("\(error as Any)")
            }
        }
    }
}
