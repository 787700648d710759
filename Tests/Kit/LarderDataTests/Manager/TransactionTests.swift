#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A transaction is one commit or none")
struct TransactionTests {
    private struct Stop: Error, Equatable {}

    let fixture: Fixture
    let manager: StoreManager

    init() throws {
        fixture = try Fixture()
        manager = fixture.manager
    }

    @Test func `many changes are one commit`() async throws {
        try await manager.transaction { manager in
            try await manager.create(Person(1, "Ann"))
            try await manager.save(Person(2, "Bea"))
            try await manager.create(Shop(1, owner: Person(1, "").id))
        }
        #expect(fixture.script.commits.count == 1)
        #expect(try await manager.read(Query<Person>()).entities.map(\.name) == ["Ann", "Bea"])
    }

    @Test func `the body's own error passes unchanged and leaves nothing`() async throws {
        await #expect(throws: Stop()) {
            try await manager.transaction { manager in
                try await manager.create(Person(1, "Ann"))
                throw Stop()
            }
        }
        #expect(try await manager.read(Query<Person>()).items.isEmpty)
        #expect(fixture.script.commits.isEmpty)
    }

    @Test func `queries inside see pending changes, in order, page by page and in the total`() async throws {
        for number in 1...6 { try await manager.create(Shop(UInt64(number), staff: number)) }
        try await manager.transaction { manager in
            try await manager.delete(Shop(2).id)
            try await manager.update(Shop(5, staff: 0))
            try await manager.create(Shop(7, staff: 4))
            let big = #Predicate<Shop> { ($0.staff ?? 0) > 2 }
            var query = Query(big, sort: [Sort(\.staff, .descending)], limit: 2, includesTotal: true)
            var seen: [Int] = []
            repeat {
                let page = try await manager.read(query)
                #expect(page.total == 4)
                seen += page.entities.compactMap(\.staff)
                query.after = page.next
            } while query.after != nil
            #expect(seen == [6, 4, 4, 3])
            let counts = try await manager.counts(Query(big), by: .value(\.staff))
            #expect(counts == [3: 1, 4: 2, 6: 1])
            #expect(try await manager.read([Shop(2).id, Shop(7).id]).map(\.staff) == [4])
        }
    }

    @Test func `a unit's own words: created twice, deleted and created again, updated when absent`() async throws {
        try await manager.create(Person(1, "Ann"))
        try await manager.transaction { manager in
            try await manager.create(Person(2, "Bea"))
            let twice = await persistencyError { try await manager.create(Person(2, "Bea")) }
            guard case .duplicate = twice else { return #expect(Bool(false), "\(twice as Any)") }
            try await manager.delete(Person(2, "").id)
            try await manager.create(Person(2, "Cid"))
            try await manager.delete(Person(1, "").id)
            try await manager.save(Person(1, "Dot"))
            let absent = await persistencyError { try await manager.update(Person(3, "Eve")) }
            guard case .notFound = absent else { return #expect(Bool(false), "\(absent as Any)") }
        }
        #expect(try await manager.read(Query<Person>()).entities.map(\.name) == ["Dot", "Cid"])
    }

    @Test func `a created entity has version 1 within its transaction`() async throws {
        try await manager.transaction { manager in
            let created = try await manager.create(Person(1, "Ann"))
            try await manager.update(Person(1, "Bea"), expecting: created.version)
        }
        #expect(try await manager.read(Person(1, "").id) == Stored(Person(1, "Bea"), version: 1))
    }

    @Test func `changed and changed back is unchanged`() async throws {
        try await manager.create(Person(1, "Ann"))
        try await manager.transaction { manager in
            var outcomes: [SaveOutcome] = []
            for name in ["Bea", "Ann", "Ann"] { outcomes.append(try await manager.save(Person(1, name)).outcome) }
            #expect(outcomes == [.updated, .updated, .unchanged])
        }
        #expect(try await manager.read(Person(1, "").id)?.version == 1)
        let written = fixture.commits(after: 1).filter { !$0.isEmpty }
        #expect(written.isEmpty)
    }

    @Test func `a body whose reads were overtaken runs again`() async throws {
        let manager = manager
        try await manager.create(Shop(1, staff: 1))
        var runs = 0
        try await manager.transaction { unit in
            runs += 1
            var shop = try await unit.require(Shop(1).id).entity
            if runs == 1 {
                await Task.detached { _ = try? await manager.update(Shop(1, staff: 10)) }.value
            }
            shop.staff = (shop.staff ?? 0) + 1
            try await unit.update(shop)
        }
        #expect(runs == 2)
        #expect(try await manager.read(Shop(1).id)?.staff == 11)
    }

    @Test func `roots that were read, by id or by query, or found absent, must be unchanged`() async throws {
        let manager = manager
        for number in 1...2 { try await manager.create(Person(UInt64(number), "p\(number)")) }
        let interferences: [@Sendable () async throws -> Void] = [
            { try await manager.update(Person(1, "new")) }, { try await manager.delete(Person(2, "").id) },
            { try await manager.create(Person(3, "absent before")) },
        ]
        for interference in interferences {
            var runs = 0
            try await manager.transaction { unit in
                runs += 1
                _ = try await unit.read(Query<Person>())
                _ = try await unit.read(Person(3, "").id)
                if runs == 1 { try await Task.detached { try await interference() }.value }
                try await unit.save(Sign(1, "run \(runs)"))
            }
            #expect(runs == 2)
        }
    }

    @Test func `seeing one root at two versions is a conflict at once`() async throws {
        let manager = manager
        try await manager.create(Person(1, "Ann"))
        var runs = 0
        try await manager.transaction { unit in
            runs += 1
            _ = try await unit.read(Person(1, "").id)
            if runs == 1 { await Task.detached { _ = try? await manager.update(Person(1, "Bea")) }.value }
            let names = try await unit.read(Query<Person>()).entities.map(\.name)
            #expect(names == ["Bea"])
        }
        #expect(runs == 2)
    }

    @Test func `a transaction that always loses ends in a conflict with base, mine and theirs`() async throws {
        let fixture = try Fixture(retry: RetryPolicy(attempts: 3, sleep: { _ in }))
        let manager = fixture.manager
        try await manager.create(Shop(1, staff: 0))
        let error = await persistencyError {
            try await manager.transaction { unit in
                var shop = try await unit.require(Shop(1).id).entity
                let staff = shop.staff ?? 0
                _ = try await Task.detached { try await manager.update(Shop(1, staff: staff + 1)) }.value
                shop.staff = 100
                try await unit.update(shop)
            }
        }
        guard case .conflict(let conflict) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect((conflict.base as? Shop)?.staff == 2)
        #expect((conflict.mine as? Shop)?.staff == 100)
        #expect((conflict.theirs as? Shop)?.staff == 3)
    }

    @Test func `a conflict that the body caused is not tried again`() async throws {
        try await manager.create(Person(1, "Ann"))
        var runs = 0
        let error = await persistencyError {
            try await manager.transaction { unit in
                runs += 1
                try await unit.update(Person(1, "Bea"), expecting: 7)
            }
        }
        guard case .conflict(let conflict) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(runs == 1 && conflict.theirs as? Person == Person(1, "Ann"))
    }

    @Test func `inside a body only its own manager may be used, and only while it runs`() async throws {
        let manager = manager
        var kept: (any PersistencyManager)?
        try await manager.transaction { unit in
            kept = unit
            for error in [
                await persistencyError { try await manager.create(Person(1, "Ann")) },
                await persistencyError { _ = try await manager.read(Query<Person>()) },
                await persistencyError { _ = try await manager.read(Person(1, "").id) },
            ] {
                guard case .outsideTransaction = error else { return #expect(Bool(false), "\(error as Any)") }
            }
        }
        let late = try #require(kept)
        for error in [
            await persistencyError { try await late.create(Person(1, "Ann")) },
            await persistencyError { _ = try await late.read(Query<Person>()) },
            await persistencyError { try await late.transaction { _ in } },
        ] {
            guard case .outsideTransaction = error else { return #expect(Bool(false), "\(error as Any)") }
        }
    }

    @Test func `a transaction within a transaction of the same store joins it`() async throws {
        let manager = manager
        try await manager.transaction { unit in
            try await unit.create(Person(1, "Ann"))
            try await manager.transaction { inner in
                #expect(try await inner.read(Person(1, "").id) != nil)
                try await inner.create(Person(2, "Bea"))
            }
            try await unit.transaction { try await $0.create(Person(3, "Cid")) }
        }
        #expect(fixture.script.commits.count == 1)
        let other = try Fixture()
        try await manager.transaction { _ in try await other.manager.create(Person(1, "another store")) }
        #expect(try await other.manager.read(Person(1, "").id) != nil)
    }

    @Test func `a cancelled task commits nothing`() async throws {
        let manager = manager
        let task = Task {
            try await manager.transaction { unit in
                try await unit.create(Person(1, "Ann"))
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
        }
        let error = await persistencyError { try await task.value }
        guard case .cancelled = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(try await manager.read(Person(1, "").id) == nil)
    }
}
