import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

@Suite("A short page of aggregates is filled from the cache, and is the page that the store would answer with")
struct CachedPageTests {
    let script = MemoryStore.Script()
    let base: PausingStore
    let manager: StoreManager
    let plain: StoreManager
    let query = Query<Shop>(sort: [Sort(\.name)], limit: 4, includesTotal: true)

    init() throws {
        let mappers = try MapperSet(Fixture.mappers)
        base = PausingStore(MemoryStore(mappers.schemas, script: script))
        manager = StoreManager(CachedStore(base), mappers: mappers)
        plain = StoreManager(base, mappers: mappers)
    }

    /// The reads that a body makes from the store: the content of each page, and the number of ids of each read by ids.
    private func asked(_ body: () async throws -> Void) async throws -> [String] {
        let before = script.calls.count
        try await body()
        return script.calls.dropFirst(before).map { call in
            switch call {
            case .query(let request): "\(request.content)"
            case .read(let ids, _): "\(ids.count)"
            case .commit: "commit"
            }
        }
    }

    private func expectPage(_ query: Query<Shop>) async throws {
        let (mine, expected) = (try await manager.read(query), try await plain.read(query))
        #expect(mine.items == expected.items && mine.next == expected.next && mine.total == expected.total)
    }

    @Test func `rows are read only of entities that are not cached at their versions`() async throws {
        let shops = (1...5).map { Shop($0, name: "shop \($0)") }
        for shop in shops { try await manager.create(shop) }
        #expect(try await asked { _ = try await manager.read(query) } == ["versions", "4"])
        #expect(try await asked { _ = try await manager.read(query) } == ["versions"])
        try await manager.update(Shop(2, name: "shop 2", motto: "new"))
        #expect(try await asked { _ = try await manager.read(query) } == ["versions"])
        try await manager.transaction { try await $0.update(Shop(2, name: "shop 2", motto: "newer")) }
        #expect(try await asked { _ = try await manager.read(query) } == ["versions", "1"])
        try await expectPage(query)
        // A read by id has cached the only shop of the second page.
        _ = try await manager.read(shops[4].id)
        var next = query
        next.after = try await manager.read(query).next
        #expect(try await asked { _ = try await manager.read(next) } == ["versions"])
        try await expectPage(next)
    }

    @Test func `long pages and flat entities are read as rows`() async throws {
        #expect(try await asked { _ = try await manager.read(Query<Shop>()) } == ["rows"])
        #expect(try await asked { _ = try await manager.read(Query<Shop>(limit: 65)) } == ["rows"])
        #expect(try await asked { _ = try await manager.read(Query<Person>(limit: 4)) } == ["rows"])
    }

    @Test func `a page with a limit of bytes ends where the store ends it, and reads at most 16 entities more`()
        async throws
    {
        for number in 10...49 as ClosedRange<UInt64> {
            try await manager.create(Shop(number, name: "shop \(number)" + String(repeating: "x", count: 10_000)))
        }
        var query = Query<Shop>(sort: [Sort(\.name)], limit: 40)
        query.byteLimit = 1_000_000
        #expect(try await asked { try await expectPage(query) } == ["versions", "16", "16", "8", "rows"])
        query.byteLimit = 100_000
        try await manager.update(Shop(20, name: "shop 20", motto: "changed"))
        var names: [String] = []
        repeat {
            try await expectPage(query)
            let page = try await manager.read(query)
            names += page.entities.map(\.name)
            query.after = page.next
        } while query.after != nil
        #expect(names.count == 40 && names == names.sorted())
        let fresh = StoreManager(CachedStore(base), mappers: try MapperSet(Fixture.mappers))
        query.after = nil
        #expect(try await asked { _ = try await fresh.read(query) } == ["versions", "16", "rows"])
    }

    /// Whether a page mixes the states before and after a change of a shop, which a writer makes while the page is read.
    private func isMixed(by writer: StoreManager, _ change: String, _ number: UInt64) async throws -> Bool {
        let before = try await plain.read(query).items
        base.afterQuery {
            do {
                if change != "updated" { try await writer.delete(Shop(number).id) }
                // Last on the page. An entity that is created again has the version of the former one.
                if change != "deleted" { try await writer.save(Shop(number, name: "z \(number)")) }
                _ = try await writer.read(Shop(number).id)
            } catch {
                Issue.record("\(error)")
            }
        }
        let page = try await manager.read(query)
        let after = try await plain.read(query).items
        return page.items != before && page.items != after || page.total != page.items.count
    }

    @Test(arguments: ["updated", "created again", "deleted"])
    func `a change during the read of a page is on it completely or not at all`(change: String) async throws {
        for number in 1...3 as ClosedRange<UInt64> { try await manager.create(Shop(number, name: "shop \(number)")) }
        // One is cached, the others are not.
        _ = try await manager.read(Shop(1).id)
        for number in 1...2 as ClosedRange<UInt64> {
            #expect(try await !isMixed(by: manager, change, number))
        }
    }

    @Test func `a cache that does not learn of a deletion mixes states`() async throws {
        for number in 1...3 as ClosedRange<UInt64> { try await manager.create(Shop(number, name: "shop \(number)")) }
        let unannounced = plain
        #expect(try await isMixed(by: unannounced, "created again", 2))
    }

    @Test func `a page is filled while entities are written that are not on it, or after they were`() async throws {
        for number in 1...6 as ClosedRange<UInt64> { try await manager.create(Shop(number, name: "shop \(number)")) }
        _ = try await manager.read(query)
        let (manager, query) = (manager, query)
        base.afterQuery {
            do {
                try await manager.update(Shop(5, name: "shop 5", motto: "new"))
                try await manager.create(Shop(7, name: "shop 7"))
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(try await !asked { _ = try await manager.read(query) }.contains("rows"))
        base.afterQuery { do { try await manager.delete(Shop(6).id) } catch { Issue.record("\(error)") } }
        #expect(try await asked { _ = try await manager.read(query) }.last == "rows")
        try await expectPage(query)
    }

    @Test func `each page is the store's, whatever is read and written in between`() async throws {
        var chance = SystemRandomNumberGenerator()
        for _ in 1...300 {
            let shop = Shop(.random(in: 1...8, using: &chance), name: "shop \(UInt8.random(in: 0...9, using: &chance))")
            switch Int.random(in: 0...4, using: &chance) {
            case 0: _ = try await manager.read(shop.id)
            case 1: try? await manager.delete(shop.id)
            case 2: try await manager.save(shop)
            default: try await expectPage(Query<Shop>(sort: [Sort(\.name)], limit: 3, includesTotal: true))
            }
        }
    }
}
