import LarderData
import LarderDomain
import Synchronization
import Testing

@testable import LarderInfrastructure

/// Scans, pages, totals, and counts: results, cost, and cancellation.
@Suite(.serialized) struct SQLiteReadTests {
    /// Counts the objects that a read returns.
    private final class Rows: Sendable { let count = Atomic(0) }

    let scratch = Scratch()

    func filled(_ count: Int) async throws -> SQLiteStore {
        let store = try await scratch.open(.off)
        let tags = (0..<10).map { Sample.tag(1_000_000 + $0, "\($0)") }
        let books = (0..<count).map { number in
            Sample.book(
                number, "Title \(number % 7)", year: number % 3 == 0 ? nil : Int64(number % 5), code: "\(number)",
                pages: [Sample.page(2_000_000 + number, "p", notes: [Sample.note(3_000_000 + number, "n")])],
                tags: [1_000_000 + number % 10, 1_000_000 + number % 3, 1_000_000])
        }
        _ = try await store.commit(ChangeSet(inserts: tags + books))
        return store
    }

    @Test func `statements depend on types, not on rows`() async throws {
        let store = try await filled(1200)
        func statements(_ work: () async throws -> Void) async throws -> Int {
            let before = await store.measurements().statements ?? 0
            try await work()
            return (await store.measurements().statements ?? 0) - before
        }
        var counts: Set<Int> = []
        for limit in [1, 10, 1200] {
            counts.insert(
                try await statements {
                    let page = try await store.read(ReadRequest(Sample.book, limit: limit))
                    #expect(
                        page.items.count == limit && page.items.allSatisfy { $0.children[0][0].children[0].count == 1 })
                })
            counts.insert(
                try await statements {
                    let ids = (0..<limit).map(Sample.id)
                    let books = try await store.read(ids, of: Sample.book)
                    #expect(books.count == limit)
                })
        }
        // BEGIN, roots, two lists of links, pages, their links, notes, COMMIT.
        #expect(counts == [8])
        #expect(try await statements { _ = try await store.read(Sample.id(1_000_000), of: Sample.tag) } == 1)
        #expect(try await statements { _ = try await store.read(ReadRequest(Sample.tag, limit: 3)) } == 1)
    }

    @Test func `pages follow each other as in memory, for every order`() async throws {
        let store = try await filled(60)
        let all = try await store.read(ReadRequest(Sample.book)).items
        let orders: [[OrderTerm]] = [
            [], [OrderTerm(.column(0))], [OrderTerm(.column(1))], [OrderTerm(.column(1), isDescending: true)],
            [OrderTerm(.column(1), isDescending: true), OrderTerm(.column(0))],
            [OrderTerm(.column(2), isDescending: true)],
            [OrderTerm(.coalesce(.column(1), .literal(.integer(2)))), OrderTerm(.linkCount(0))],
            [OrderTerm(.childCount(0)), OrderTerm(.id, isDescending: true)],
        ]
        let condition = Condition.compare(.column(0), .notEqual, .literal(.text("Title 3")))
        for order in orders {
            for limit in [1, 7, 52, 53, nil] {
                var request = ReadRequest(
                    Sample.book, where: condition, order: order, limit: limit, includesTotal: true)
                var pages = 0
                repeat {
                    let page = try await store.read(request)
                    let expected = request.answer(from: all)
                    #expect(page.items == expected.items && page.total == expected.total && page.next == expected.next)
                    request.after = page.next
                    pages += 1
                } while request.after != nil && pages < 100
            }
        }
        #expect(try await store.read(ReadRequest(Sample.book, limit: .max)).items.count == 60)
    }

    @Test func `counts are equal to those of the default`() async throws {
        let store = try await filled(100)
        let all = try await store.read(ReadRequest(Sample.book)).items
        let conditions: [Condition] = [
            .always(true), .compare(.column(1), .greater, .literal(.integer(1))),
            .links(relationship: 0, id: Sample.id(1_000_001)),
        ]
        for condition in conditions {
            for key in [CountRequest.Key.column(0), .column(1), .column(3), .link(0), .link(1)] {
                let request = CountRequest(Sample.book, where: condition, by: key)
                var expected: [Value: Int] = [:]
                for object in all where condition.holds(for: object) {
                    for key in request.keys(of: object) { expected[key, default: 0] += 1 }
                }
                #expect(try await store.counts(request) == expected)
            }
        }
    }

    @Test(.currentSQLite) func `cancellation interrupts a long read, and the connection is usable afterwards`()
        async throws
    {
        let store = try await scratch.open(.off)
        let text = String(repeating: "no such tea", count: 20_000)
        _ = try await store.commit(ChangeSet(inserts: (0..<200).map { Sample.tag($0, text + "\($0)") }))
        // The first row is found at once, followed by minutes of work in one statement: a search for many words in long
        // names.
        let first = Condition.compare(.id, .equal, .literal(.id(Sample.id(0))))
        let slow = (0..<2000).map { Condition.contains(.column(0), "no such text \($0)") }
        let found = Rows()
        let task = Task { () async -> PersistencyError? in
            await failure { () async throws(PersistencyError) in
                _ = try await store.read(ReadRequest(Sample.tag, where: .or([first] + slow))) { _ in
                    _ = found.count.add(1, ordering: .relaxed)
                }
            }
        }
        // Only a running statement can be interrupted.
        try await until { found.count.load(ordering: .relaxed) == 1 }
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value?.summary == "cancelled")
        // Far less than the work takes, and enough for a busy machine.
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(try await store.read(ReadRequest(Sample.tag, limit: 1, includesTotal: true)).total == 200)
        try await store.insert(Sample.tag(1_000, "after"))
    }

    @Test func `an error of the transformation ends the read and no more`() async throws {
        let store = try await filled(10)
        for schema in [Sample.book, Sample.tag] {
            let error = await failure { () async throws(PersistencyError) in
                _ = try await store.read(ReadRequest(schema)) { object throws(PersistencyError) -> Int in
                    throw .unknownEntity("this")
                }
            }
            #expect(error?.summary == "unknown this")
        }
        try await store.insert(Sample.tag(1, "after"))
        #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 11)
    }
}
