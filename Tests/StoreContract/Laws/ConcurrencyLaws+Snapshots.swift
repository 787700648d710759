internal import LarderData
internal import LarderDomain

/// Readers while several tasks write continuously, until the readers have made the required number of reads.
extension ConcurrencyLaws {
    static let snapshots: [Law] = [
        Law(.concurrency, "Items, total, counts and cursor belong to one snapshot, also during many writes") {
            trial in
            let crowd = try await Crowd(trial)
            try await crowd.read(120) { store in
                let page = try await store.read(ReadRequest(Press.topic, includesTotal: true))
                try expect("the total", page.total, is: page.items.count)
            }
            let start = Place(values: [], id: RawID(high: 0, low: 0))
            for after in [nil, start] {
                for limit in [1, nil] {
                    try await crowd.read(60) { store in
                        // The first topic contains the number of topics.
                        let page = try await store.read(
                            ReadRequest(Press.topic, after: after, limit: limit, includesTotal: true))
                        try expect("the total", .text("all \(page.total ?? 0)"), is: page.items[0].values[0])
                    }
                }
            }
            for includesTotal in [false, true] {
                try await crowd.read(120) { store in
                    let page = try await store.read(ReadRequest(Press.topic, limit: 1, includesTotal: includesTotal))
                    try expect("whether more follow", page.next != nil, is: page.items[0].values[0] != .text("all 1"))
                }
            }
            try await crowd.read(120) { store in
                let counts = try await store.counts(CountRequest(Press.magazine, where: .always(true), by: .column(2)))
                try expect("the counts", counts, is: [.integer(0): Crowd.size / 2, .integer(1): Crowd.size / 2])
            }
            try await crowd.read(120) { store in
                let counts = try await store.counts(CountRequest(Press.magazine, where: .always(true), by: .link(0)))
                try expect("the counts by links", counts.values.reduce(0, +), is: Crowd.size)
            }
            // By the column in the condition: the found roots and their groups come from one snapshot.
            try await crowd.read(120) { store in
                let isNew = Condition.compare(.column(2), .equal, .literal(.integer(1)))
                let counts = try await store.counts(CountRequest(Press.magazine, where: isNew, by: .column(2)))
                try expect("the counts of one year", counts, is: [.integer(1): Crowd.size / 2])
            }
        }.tests("counts.1", "counts.3", "page.2", "page.3"),
        Law(.concurrency, "A root, its owned objects and its links belong to one snapshot, however they are read") {
            trial in
            let crowd = try await Crowd(trial)
            let ids = crowd.magazines.map(\.id)
            let isNew = Condition.compare(.column(2), .equal, .literal(.integer(1)))
            try await crowd.read(100) { store in
                for object in try await store.read(ids, of: Press.magazine) { try crowd.expectWhole(object) }
                if let object = try await store.read(ids[0], of: Press.magazine) { try crowd.expectWhole(object) }
                let found = try await store.read(ReadRequest(Press.magazine, where: isNew, includesTotal: true))
                for object in found.items { try crowd.expectWhole(object) }
                try expect("how many have the year 1", found.items.count, is: Crowd.size / 2)
                try expect("their total", found.total, is: Crowd.size / 2)
            }
        }.tests("ids.5", "page.1"),
        Law(.concurrency, "A total does not change with commits during the read of its page") { trial in
            let (store, members) = (trial.store, (0..<5).map { Press.member(trial.rawID(), "Member \($0)") })
            _ = try await store.commit(ChangeSet(inserts: members))
            for includesMany in [true, false] {
                let new = (0..<3).map { Press.member(trial.rawID(), "New \($0) \(includesMany)") }
                let isDone = Flag()
                let before = try await store.read(ReadRequest(Press.member)).items.count
                let began = Flag()
                let request = ReadRequest(Press.member, limit: includesMany ? nil : 2, includesTotal: true)
                async let page = {
                    // The wait also ends if the read fails or finds nothing.
                    defer { began.set() }
                    return try await store.read(request) { (_) throws(PersistencyError) in
                        began.set()
                        // Gives a store that can commit during a read the time to do so; others commit afterwards.
                        let end = ContinuousClock.now + .milliseconds(50)
                        while !isDone.isSet, ContinuousClock.now < end {}
                    }
                }()
                while !began.isSet, !Task.isCancelled { await Task.yield() }
                _ = try await store.commit(ChangeSet(inserts: new))
                isDone.set()
                try expect("the total", try await page.total, is: before)
            }
        }.tests("page.2"),
        Law(.concurrency, "Readers see all or nothing of a large change set, also during its commit") { trial in
            let store = trial.store
            for count in [60, 320, 1_100] {
                let objects = try (0..<count).map { _ in try Counter(trial.id()).object }
                let ids = objects.map(\.id)
                let isDone = Flag()
                let mine = Condition.isIn(.id, Set(ids.map(Value.id)))
                _ = try await store.commit(ChangeSet(inserts: objects))
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        defer { isDone.set() }
                        for version in 1...8 as ClosedRange<Int64> {
                            let updates = objects.map { old in
                                var new = old
                                new.values[0] = .integer(version)
                                return old.update(to: new, expecting: version)
                            }
                            _ = try await store.commit(ChangeSet(updates: updates))
                            await Task.yield()
                        }
                        _ = try await store.commit(ChangeSet(deletes: objects.map { $0.deletion(expecting: 9) }))
                    }
                    group.addTask {
                        while !isDone.isSet, !Task.isCancelled {
                            try Self.expectWhole(try await store.read(ids, of: CounterMapper.schema), of: count)
                            await Task.yield()
                        }
                    }
                    group.addTask {
                        while !isDone.isSet, !Task.isCancelled {
                            let page = try await store.read(
                                ReadRequest(CounterMapper.schema, where: mine, includesTotal: true))
                            try Self.expectWhole(page.items, of: count)
                            try expect("the total", page.total, is: page.items.count)
                            await Task.yield()
                        }
                    }
                    group.addTask {
                        while !isDone.isSet, !Task.isCancelled {
                            let counts = try await store.counts(
                                CountRequest(CounterMapper.schema, where: mine, by: .column(0)))
                            let isWhole = counts.isEmpty || Array(counts.values) == [count]
                            try expect(isWhole, "of \(count) with one number, a reader counted \(counts)")
                            await Task.yield()
                        }
                    }
                    group.addTask {
                        let request = AggregateRequest(
                            CounterMapper.schema, where: mine, by: [], of: [.count, .minimum(0), .maximum(0)])
                        while !isDone.isSet, !Task.isCancelled {
                            let figures = try await store.aggregates(request).groups[[]] ?? []
                            let isWhole =
                                figures == [.count(0), .extreme(.null), .extreme(.null)]
                                || figures.count == 3 && figures[0] == .count(count) && figures[1] == figures[2]
                            try expect(isWhole, "of \(count) with one number, a reader found \(figures)")
                            await Task.yield()
                        }
                    }
                    while try await group.next() != nil {}
                }
            }
        }.tests("commit.2", "counts.3", "ids.5", "page.2", "aggregate.10"),
    ]

    private static func expectWhole(_ found: [StorageObject], of count: Int) throws {
        try expect(found.count == count || found.isEmpty, "a reader saw \(found.count) of \(count)")
        let states = Set(found.map(\.values))
        try expect(states.count <= 1, "a reader saw the states \(states)")
    }
}

/// Roots that several tasks change continuously, each preserving an invariant.
private struct Crowd {
    /// The number of members and of magazines at every moment.
    static let size = 12

    let magazines: [StorageObject]
    private let trial: Trial
    private let topic: StorageObject

    init(_ trial: Trial) async throws {
        self.trial = trial
        let topic = Press.topic(trial.rawID(), "all 1")
        self.topic = topic
        let members = (0..<Self.size).map { Press.member(trial.rawID(), "Member \($0)") }
        magazines = (0..<Self.size).map { number in
            Self.magazine(trial.rawID(), year: Int64(number % 2), article: trial.rawID(), topic: topic.id)
        }
        _ = try await trial.store.commit(ChangeSet(inserts: [topic] + members + magazines))
    }

    /// A magazine whose articles, and the length of whose list of links, also state its year.
    private static func magazine(_ id: RawID, year: Int64, article: RawID, topic: RawID) -> StorageObject {
        let topics = Array(repeating: topic, count: 1 + Int(year))
        let footnote = Press.footnote(article, "\(year)")
        let article = Press.article(article, "\(year)", footnotes: [footnote], topics: topics)
        return Press.magazine(id, "\(id)", year: year, articles: [article], topics: topics)
    }

    /// Fails the law unless a magazine's articles and links state its year.
    func expectWhole(_ magazine: StorageObject) throws {
        let article = magazine.children[0].first
        guard case .integer(let year) = magazine.values[2], let article, let footnote = article.children[0].first else {
            throw LawBroken("a reader saw \(magazine)")
        }
        try expect("the links of a magazine of \(year)", magazine.links[0].count, is: 1 + Int(year))
        try expect("the links of the article of a magazine of \(year)", article.links[0].count, is: 1 + Int(year))
        try expect("the article of a magazine of \(year)", article.values[0], is: .text("\(year)"))
        try expect("the footnote of a magazine of \(year)", footnote.values[0], is: .text("\(year)"))
    }

    /// Makes the given number of reads, two at a time, while three tasks write. Ends at the first fault.
    ///
    /// The readers continue until each writer has made a quarter as many writes: on a busy machine they would otherwise
    /// finish before a writer starts.
    ///
    /// Each task yields in every round. Otherwise, with a store whose calls never suspend, the writers would occupy all
    /// threads: no reader would continue, and neither a fault nor the time limit would end the tasks.
    func read(_ times: Int, _ look: @escaping @Sendable (any Store) async throws -> Void) async throws {
        let store = trial.store
        let left = Countdown(times)
        let toWrite = (0..<3).map { _ in Countdown(times / 4) }
        let trial = trial
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    while left.take() || !toWrite.allSatisfy(\.isOver), !Task.isCancelled {
                        try await look(store)
                        await Task.yield()
                    }
                }
            }
            let isReading: @Sendable () async -> Bool = {
                await Task.yield()
                return !(left.isOver && toWrite.allSatisfy(\.isOver)) && !Task.isCancelled
            }
            group.addTask {
                // Topics are inserted and deleted, and the first topic contains their number.
                while await isReading() {
                    guard let first = try await store.read(topic.id, of: Press.topic) else {
                        throw LawBroken("the first topic is missing")
                    }
                    var more = first
                    more.values[0] = .text("all 4")
                    let new = (0..<3).map { Press.topic(trial.rawID(), "topic \($0)") }
                    let coming = first.update(to: more, expecting: first.version)
                    _ = try await store.commit(ChangeSet(inserts: new, updates: [coming]))
                    await Task.yield()
                    let going = more.update(to: first, expecting: first.version + 1)
                    _ = try await store.commit(
                        ChangeSet(updates: [going], deletes: new.map { $0.deletion(expecting: 1) }))
                    _ = toWrite[0].take()
                }
            }
            group.addTask {
                // Each change replaces one member with a new one.
                while await isReading() {
                    guard let old = try await store.read(ReadRequest(Press.member, limit: 1)).items.first else {
                        throw LawBroken("the members are missing")
                    }
                    let new = Press.member(trial.rawID(), "\(trial.rawID())")
                    _ = try await store.commit(
                        ChangeSet(inserts: [new], deletes: [old.deletion(expecting: old.version)]))
                    _ = toWrite[1].take()
                }
            }
            group.addTask {
                // Two magazines exchange their years, one from the first half and one from the second; their years
                // always differ.
                var pair = 0
                while await isReading() {
                    let keys = [magazines[pair].id, magazines[Self.size - 1 - pair].id]
                    let found = try await store.read(keys, of: Press.magazine).sorted { $0.id < $1.id }
                    guard found.count == 2 else { throw LawBroken("a magazine is missing") }
                    let updates = zip(found, found.reversed()).map { one, other in
                        var new = one
                        (new.values[2], new.links[0]) = (other.values[2], other.links[0])
                        new.children[0][0].values[0] = other.children[0][0].values[0]
                        new.children[0][0].links[0] = other.children[0][0].links[0]
                        new.children[0][0].children[0][0].values[0] = other.children[0][0].values[0]
                        return one.update(to: new, expecting: one.version)
                    }
                    _ = try await store.commit(ChangeSet(updates: updates))
                    pair = (pair + 1) % (Self.size / 2)
                    _ = toWrite[2].take()
                }
            }
            while try await group.next() != nil {}
        }
    }
}
