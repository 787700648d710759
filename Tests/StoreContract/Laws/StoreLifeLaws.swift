internal import LarderData
internal import LarderDomain

enum StoreLifeLaws {
    static let all: [Law] = [
        Law(.storeLife, "A new store is empty") { trial in
            for schema in trial.store.schemas.roots { try await trial.expectCount(0, of: schema) }
        }.tests("page.6"),
        Law(.storeLife, "A store returns the schemas that it was opened with") { trial in
            let names = trial.store.schemas.roots.map(\.name)
            try expect("the names of its schemas", names, is: try Library.schemas().roots.map(\.name))
        }.tests("store.7"),
        Law(.storeLife, "A closed store refuses every operation, and reports that it is closed") { trial in
            let author = try Author(trial.id(), "Ada").object
            try await trial.insert(author)
            await trial.store.close()
            try await expectClosed("a read by id") { try await trial.stored(author) }
            try await expectClosed("a read at once") {
                let answer = try trial.store.lendAtOnce(author.id, of: author.schema) { _ in }
                if answer == .declined { _ = try await trial.stored(author) }
            }
            try await expectClosed("a read of no ids") { try await trial.store.read([], of: author.schema) }
            try await expectClosed("a query") { try await trial.store.read(ReadRequest(author.schema)) }
            try await expectClosed("a query that finds nothing") {
                try await trial.store.read(ReadRequest(author.schema, where: .isIn(.id, [])))
            }
            try await expectClosed("a count") {
                try await trial.store.counts(CountRequest(author.schema, where: .always(true), by: .column(0)))
            }
            try await expectClosed("a commit") { try await trial.insert(try Author(trial.id(), "Bea").object) }
            try await expectClosed("an empty commit") { try await trial.store.commit(ChangeSet()) }
            try await expectClosed("a manager's read") { try await trial.manager.read(Query<Author>()) }
        }.tests("close.1"),
        Law(.storeLife, "A store can be closed twice") { trial in
            await trial.store.close()
            await trial.store.close()
        }.tests("close.3"),
        Law(.storeLife, "Closing ends the streams of all observers, also of later ones") { trial in
            let before = await trial.store.changes()
            await trial.store.close()
            let after = await trial.store.changes()
            for stream in [before, after] {
                let heard = await stream.reduce(into: 0) { count, _ in count += 1 }
                try expect("the number of received commits", heard, is: 0)
            }
        }.tests("changes.14"),
        Law(.storeLife, "Operations from before a close end, with a result or an error") { trial in
            let store = trial.store
            let objects = try (0..<50).map { try Author(trial.id(), "Author \($0)").object }
            await withTaskGroup { group in
                for object in objects {
                    group.addTask { _ = try? await store.commit(ChangeSet(inserts: [object])) }
                    group.addTask { _ = try? await store.read(ReadRequest(object.schema)) }
                }
                group.addTask { await store.close() }
            }
            try await expectClosed("a read afterwards") { try await trial.store.read(ReadRequest(AuthorMapper.schema)) }
        }.tests("close.1", "close.2"),
        Law(.storeLife, "A close during a commit of thousands of roots ends, and so does the commit") { trial in
            for pause in [0, 5, 80] {
                try await trial.fresh("close-\(pause)") { try await $0.closeDuringCommit(of: 2_000, after: pause) }
            }
        }.tests("changes.14", "close.1", "close.2", "commit.1", "commit.5", "commit.30"),
        Law(.storeLife, "Acknowledged commits are stored after the store was reopened", needs: [.durable]) { trial in
            var book = Book(trial.id(), "Bread")
            book.chapters = [Chapter(trial.id(), "Flour", notes: [Note(trial.id(), "sieve it")])]
            let genre = Genre(trial.id(), "Baking")
            book.genres = [genre.id]
            try await trial.manager.create(genre)
            try await trial.manager.create(book)
            book.pages = 12
            try await trial.manager.save(book)
            try await trial.reopened { again in
                try await again.expectStored(book, version: 2)
                try await again.expectStored(genre, version: 1)
            }
        }.tests("commit.5"),
        Law(.storeLife, "Deleted roots are absent after the store was reopened", needs: [.durable]) { trial in
            let (ada, bea) = (Author(trial.id(), "Ada"), Author(trial.id(), "Bea"))
            try await trial.manager.create(ada)
            try await trial.manager.create(bea)
            try await trial.manager.delete(ada.id)
            try await trial.reopened { again in
                try await again.expectAbsent(ada.id)
                try await again.expectStored(bea)
            }
        }.tests("commit.5", "set.5"),
        Law(
            .storeLife, "A reopened store judges values, versions and references by its stored roots", needs: [.durable]
        ) { trial in
            let (author, book) = (Author(trial.id(), "Ada"), Book(trial.id(), "Bread"))
            var written = book
            written.author = author.id
            try await trial.insert(author.object, written.object)
            try await trial.reopened { again in
                try await duplicate(of: "a taken name") { try await again.insert(Author(again.id(), "Ada").object) }
                try await conflict(of: "a stale version") {
                    try await again.store.commit(ChangeSet(deletes: [author.object.deletion(expecting: 2)]))
                }
                try await dangling(of: "the deletion of a referenced root") {
                    try await again.store.commit(ChangeSet(deletes: [author.object.deletion(expecting: 1)]))
                }
            }
        }.tests("commit.5", "commit.10", "commit.14", "commit.24"),
        Law(.storeLife, "Refused commits are not stored after the store was reopened", needs: [.durable]) { trial in
            try await trial.insert(Author(trial.id(), "Ada").object)
            let inserts = try ["Bea", "Cleo", "Ada"].map { try Author(trial.id(), $0).object }
            try await duplicate(of: "a taken name") { try await trial.store.commit(ChangeSet(inserts: inserts)) }
            try await trial.reopened { again in try await again.expectCount(1, of: AuthorMapper.schema) }
        }.tests("commit.5", "commit.30"),
    ]
}

extension Trial {
    /// Closes the store while a large commit runs. Fails the law unless the commit ends with a true result or error, and
    /// the stream of an observer ends.
    fileprivate func closeDuringCommit(of count: Int, after pause: Int) async throws {
        let (store, hasBegun) = (store, Flag())
        let counters = try (0..<count).map { try Counter(id(), $0).object }
        let stream = await store.changes()
        // Whether the commit is stored; `nil` if the store does not know.
        async let outcome = { () -> Bool? in
            hasBegun.set()
            do throws(PersistencyError) {
                _ = try await store.commit(ChangeSet(inserts: counters))
                return true
            } catch {
                if case .inDoubt = error { return nil }
                return false
            }
        }()
        while !hasBegun.isSet, !Task.isCancelled { await Task.yield() }
        for _ in 0..<pause { await Task.yield() }
        await store.close()
        let isStored = await outcome
        let heard = try await stream.commits()
        try expect(heard.count <= (isStored == false ? 0 : 1), "\(heard.count) commits were heard of")
        try await expectClosed("a read afterwards") { try await store.read(ReadRequest(CounterMapper.schema)) }
        guard store.traits.capabilities.contains(.durable) else { return }
        try await reopened { again in
            let found = try await again.store.read(ReadRequest(CounterMapper.schema)).items.count
            try expect(found == 0 || found == count, "\(found) of \(count) roots are stored")
            if let isStored { try expect("whether the commit is stored", found > 0, is: isStored) }
        }
    }
}
