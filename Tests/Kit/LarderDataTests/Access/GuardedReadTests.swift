import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private struct Stall: Entity {
    let id: EntityID<Stall>
    var owner: Int
    var staff: Int
    var isOpen = false

    init(_ number: Int, owner: Int, isOpen: Bool = false) {
        id = Self.id(number)
        (self.owner, self.staff, self.isOpen) = (owner, number, isOpen)
    }

    static func id(_ number: Int) -> EntityID<Stall> { EntityID(RawID(high: 5, low: UInt64(number))) }
}

private struct StallLine: ReadModel, Equatable {
    typealias Source = Stall

    let id: EntityID<Stall>
    let staff: Int
}

private enum StallMapper: EntityMapper {
    static let mapping = Mapping<Stall>(
        "stall", id: \.id,
        [.column("owner", \.owner), .column("staff", \.staff), .column("is_open", \.isOpen)])
    static var readModels: [any ReadModelMapper.Type] { [StallLineMapper.self] }

    static func entity(from row: inout ObjectReader) throws -> Stall {
        var stall = Stall(Int(row.id(Stall.self).rawValue.low), owner: try row.next())
        (stall.staff, stall.isOpen) = (try row.next(), try row.next())
        return stall
    }
}

private enum StallLineMapper: ReadModelMapper {
    static let mapping = ReadModelMapping<Stall>([.column(\.staff)])

    static func model(from row: inout ObjectReader) throws -> StallLine {
        try StallLine(id: row.id(), staff: row.next())
    }
}

/// Reads of the stalls of one owner, and updates of the closed ones.
private struct OwnStalls: AccessPolicy {
    let owner: Int

    var visible: [Predicate<Stall>] {
        let owner = owner
        return [#Predicate { $0.owner == owner }]
    }
    func mayRead(_ stall: Stall) -> Bool { stall.owner == owner }
    func mayCreate(_ stall: Stall) -> Bool { stall.owner == owner }
    func mayUpdate(_ old: Stall, to new: Stall) -> Bool { !old.isOpen && new.owner == owner }
    func mayDelete(_ stall: Stall) -> Bool { false }
}

@Suite("A guarded manager computes, and changes by a closure,")
struct GuardedReadTests {
    private let below: StoreManager
    private let manager: GuardedManager

    /// The owner 2 has the stalls 3, 6 and 9 with as many workers, and owner 1 the others.
    init() async throws {
        let mappers = try MapperSet([StallMapper.self])
        below = StoreManager(MemoryStore(mappers.schemas), mappers: mappers)
        manager = GuardedManager(below, policies: PolicySet([OwnStalls(owner: 2)]))
        for number in 1...9 {
            try await below.create(Stall(number, owner: number % 3 == 0 ? 2 : 1, isOpen: number == 9))
        }
    }

    /// Checks the manager, or that of a transaction of it.
    private func inBoth(
        _ isInTransaction: Bool, _ check: (any PersistencyManager) async throws -> Void
    ) async throws {
        if isInTransaction { try await manager.transaction { try await check($0) } } else { try await check(manager) }
    }

    @Test(arguments: [false, true])
    func `figures of the entities that the caller may see`(isInTransaction: Bool) async throws {
        try await inBoth(isInTransaction) { manager in
            let all = try await manager.aggregates(Query<Stall>(), of: .count, .sum(\.staff), .maximum(\.staff))
            #expect(all.map { "\($0.values)" } == ["\((3, 18, 9 as Int?))"])
            let byOwner = try await manager.aggregates(Query<Stall>(), by: .value(\.owner), of: .minimum(\.staff))
            #expect(byOwner.map(\.keys) == [2] && byOwner.map(\.values) == [3])
            let few = Query<Stall>(#Predicate { $0.staff < 6 })
            #expect(try await manager.aggregates(few, of: .count).map(\.values) == [1])
        }
    }

    @Test(arguments: [false, true])
    func `read models of the entities that the caller may see`(isInTransaction: Bool) async throws {
        try await inBoth(isInTransaction) { manager in
            let query = Query<Stall>(sort: [Sort(\.staff, .descending)], limit: 2, includesTotal: true)
            let page = try await manager.read(query, as: StallLine.self)
            #expect(page.items == [9, 6].map { StallLine(id: Stall.id($0), staff: $0) } && page.total == 3)
            let rest = Query<Stall>(sort: query.sort, after: page.next)
            #expect(try await manager.read(rest, as: StallLine.self).items.map(\.staff) == [3])
        }
    }

    @Test(arguments: [false, true])
    func `only entities that the caller may see and change`(isInTransaction: Bool) async throws {
        try await inBoth(isInTransaction) { manager in
            try await manager.change(Stall.id(3)) { $0.staff = 4 }
            let hidden = await persistencyError { try await manager.change(Stall.id(1)) { $0.staff = 4 } }
            guard case .notFound = hidden else { return #expect(Bool(false), "\(hidden as Any)") }
            let open = await persistencyError { try await manager.change(Stall.id(9)) { $0.staff = 4 } }
            guard case .forbidden = open else { return #expect(Bool(false), "\(open as Any)") }
            let given = await persistencyError { try await manager.change(Stall.id(6)) { $0.owner = 1 } }
            guard case .forbidden = given else { return #expect(Bool(false), "\(given as Any)") }
        }
        let staff = try await below.read(Query<Stall>(sort: [Sort(\.id)])).entities.map(\.staff)
        #expect(staff == [1, 2, 4, 4, 5, 6, 7, 8, 9])
    }

    @Test func `nothing of a type without a policy`() async throws {
        let closed = GuardedManager(below, policies: PolicySet([]))
        for error in [
            await persistencyError { _ = try await closed.aggregates(Query<Stall>(), of: .count) },
            await persistencyError { _ = try await closed.read(Query<Stall>(), as: StallLine.self) },
            await persistencyError { try await closed.change(Stall.id(3)) { $0.staff = 4 } },
        ] {
            guard case .forbidden = error else { return #expect(Bool(false), "\(error as Any)") }
        }
    }
}
