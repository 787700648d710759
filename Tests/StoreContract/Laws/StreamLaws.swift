internal import LarderData
internal import LarderDomain

enum StreamLaws {
    /// More than a page.
    private static let count = 1_100

    static let all: [Law] = [
        Law(.order, "A stream has all results of a query, in its order") { trial in
            let counters = try await counters(in: trial)
            let query = Query<Counter>(sort: [Sort(\.count, .descending)], includesTotal: true)
            let whole = try await trial.manager.read(query).items
            try expect("the number of results", whole.count, is: count)
            try expect("the stream", try await all(trial.manager.stream(query)), is: whole)
            for limit in [1, 1_000, 1_001, count - 1, count + 1] {
                var some = query
                some.limit = limit
                try expect(
                    "\(limit) results", try await all(trial.manager.stream(some)), is: Array(whole.prefix(limit)))
            }
            // Bytes end pages before the limit.
            var short = query
            (short.limit, short.byteLimit) = (50, 200)
            try expect("short pages", try await all(trial.manager.stream(short)), is: Array(whole.prefix(50)))
            var rest = query
            rest.limit = 10
            rest.after = try await trial.manager.read(rest).next
            rest.limit = nil
            try expect("the rest", try await all(trial.manager.stream(rest)), is: Array(whole.dropFirst(10)))
            let repository = Counters(manager: trial.manager)
            try expect("the stream by id", try await all(repository.stream()).map(\.id), is: counters.map(\.id))
        }.tests("stream.5", "stream.6", "query.1"),
        Law(.order, "A stream reads a page when it is requested, and each iteration reads again") { trial in
            let counters = try await counters(in: trial)
            let stream = trial.manager.stream(Query<Counter>())
            var iterator = stream.makeAsyncIterator()
            try expect("the first", try await iterator.next()?.id, is: counters[0].id)
            // The last page is not read yet.
            try await trial.manager.delete(counters[count - 1].id)
            try await trial.manager.save(Counter(counters[count - 2].id, -7))
            let new = Counter(trial.id(), 3)
            try await trial.manager.create(new)
            var rest: [Stored<Counter>] = []
            while let next = try await iterator.next() { rest.append(next) }
            try expect("the last", Array(rest.map(\.entity).suffix(2)), is: [Counter(counters[count - 2].id, -7), new])
            try expect("the number", rest.count, is: count - 1)
            try await trial.manager.delete(counters[0].id)
            try expect("the stream, again", try await all(stream).map(\.id), is: rest.map(\.id))
        }.tests("stream.1", "stream.2", "stream.3"),
        Law(.order, "A stream ends with the error of a page") { trial in
            _ = try await counters(in: trial)
            var query = Query<Counter>()
            query.after = Cursor(rawValue: "another query")
            var iterator = trial.manager.stream(query).makeAsyncIterator()
            do {
                _ = try await iterator.next()
                throw LawBroken("a cursor of another query was accepted")
            } catch PersistencyError.unsupportedQuery {}
            try expect("the element after the error", try await iterator.next(), is: nil)
        }.tests("stream.4"),
        Law(.transactions, "A stream in a transaction includes its changes") { trial in
            let counters = try await counters(in: trial)
            let new = Counter(trial.id(), count)
            let found = try await trial.manager.transaction { manager in
                try await manager.delete(counters[300].id)
                try await manager.save(Counter(counters[500].id, -1))
                try await manager.create(new)
                return try await all(manager.stream(Query<Counter>(sort: [Sort(\.count)])))
            }
            try expect("the first", found.first?.entity, is: Counter(counters[500].id, -1))
            try expect("the last", found.last?.entity, is: new)
            try expect("the number", found.count, is: count)
            try await trial.expectStored(new, version: 1)
        }.tests("stream.7", "transaction.3"),
    ]

    private struct Counters: EntityRepository {
        typealias Model = Counter
        let manager: any PersistencyManager
    }

    private static func counters(in trial: Trial) async throws -> [Counter] {
        let counters = (0..<count).map { Counter(trial.id(), $0) }
        try await trial.manager.create(contentsOf: counters)
        return counters
    }

    private static func all<E: Entity>(_ stream: QueryStream<E>) async throws -> [Stored<E>] {
        var found: [Stored<E>] = []
        for try await item in stream { found.append(item) }
        return found
    }
}
