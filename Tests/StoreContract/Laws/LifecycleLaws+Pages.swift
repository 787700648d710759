internal import LarderData
internal import LarderDomain
private import Synchronization

/// Changes of the entities that a query or a list of ids finds.
extension LifecycleLaws {
    static let pages: [Law] = [
        Law(.lifecycle, "A deletion by a query deletes its page in one commit, or nothing, and returns the number") {
            trial in
            let counters = (0..<10).map { Counter(trial.id(), 9 - $0) }
            try await trial.manager.create(contentsOf: counters)
            let (ada, bea) = (Author(trial.id(), "Ada"), Author(trial.id(), "Bea"))
            try await trial.manager.create(contentsOf: [ada, bea])
            var book = Book(trial.id(), "Bread")
            book.author = bea.id
            try await trial.manager.create(book)
            let stream = await trial.store.changes()
            let count = try await trial.manager.delete(matching: Query<Counter>(sort: [Sort(\.count)], limit: 4))
            try expect("the number of deleted entities", count, is: 4)
            let left = try await trial.manager.read(Query<Counter>()).entities
            try expect("the remaining entities", left, is: Array(counters.dropLast(4)))
            var page = Query<Counter>(sort: [Sort(\.count)], limit: 1)
            for _ in 0..<2 { page.after = try await trial.manager.read(page).next }
            (page.after, page.before) = (nil, try await trial.manager.read(page).previous)
            try expect("the number before a cursor", try await trial.manager.delete(matching: page), is: 1)
            try await trial.expectAbsent(counters[4].id)
            try await refusal(of: "deleting all authors") { try await trial.manager.delete(matching: Query<Author>()) }
            try await trial.expectStored(ada, version: 1)
            let none = try await trial.manager.delete(matching: Query<Picture>())
            try expect("the number of no entities", none, is: 0)
            let heard = try await trial.heard(stream)
            try expect("the sizes of the commits", heard.map(\.entries.count), is: [4, 1])
        }.tests("delete.7", "delete.8"),
        Law(.lifecycle, "A saved batch is read at once by its ids, and planned completely or not at all") { trial in
            let reads = CountedReads(trial.store)
            let manager = try Library.manager(over: reads)
            let counters = (0..<60).map { Counter(trial.id(), $0) }
            try await manager.create(contentsOf: Array(counters.dropLast(5)))
            reads.forget()
            try await manager.save(contentsOf: counters.map { Counter($0.id, $0.count + 1) })
            try expect("the number of reads", reads.count, is: 1)
            let (good, bad) = (try trial.specimen(), Specimen(id: trial.id(), text: "\u{0}", day: try trial.day()))
            try await trial.manager.transaction { manager in
                try await invalidField(of: "U+0000") { try await manager.save(contentsOf: [good, bad]) }
                try expect("the state after a failed batch", try await manager.read(good.id), is: nil)
            }
            try await trial.expectAbsent(good.id)
        }.tests("save.6", "save.8"),
        Law(.queries, "Counts ignore the order and the page of their query") { trial in
            try await trial.manager.create(contentsOf: (0..<9).map { Counter(trial.id(), $0 % 2) })
            var query = Query<Counter>(sort: [Sort(\.count, .descending)], limit: 2)
            query.after = try await trial.manager.read(query).next
            try expect(
                "the counts", try await trial.manager.counts(query, by: .value(\.count)), is: [0: 5, 1: 4])
        }.tests("tally.4"),
    ]
}

/// A decorator that counts the reads of its base, except those of no ids.
private final class CountedReads: StoreDecorator {
    let base: any Store
    private let reads = Mutex(0)

    init(_ base: any Store) {
        self.base = base
    }

    var count: Int { reads.withLock { $0 } }

    func forget() { reads.withLock { $0 = 0 } }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        if !ids.isEmpty { reads.withLock { $0 += 1 } }
        try await base.withRows(ids, of: schema, body)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        reads.withLock { $0 += 1 }
        return try await base.withRows(request, body)
    }
}
