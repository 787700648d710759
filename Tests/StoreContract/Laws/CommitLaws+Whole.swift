internal import LarderData
internal import LarderDomain

extension CommitLaws {
    static let whole: [Law] = [
        Law(.commits, "An empty change set is judged, and writes nothing") { trial in
            let author = try Author(trial.id(), "Ada").object
            let first = try await trial.insert(author)
            let empty = ChangeSet(reads: [RootExpectation(author.key, version: 1)])
            let receipt = try await trial.store.commit(empty)
            try expect("the token of the last commit", receipt, is: first)
            try await conflict(of: "a stale read alone") {
                try await trial.store.commit(ChangeSet(reads: [RootExpectation(author.key, version: 2)]))
            }
        }.tests("receipt.2", "set.8"),
        Law(.commits, "A refused change set stores nothing, wherever its fault is") { trial in
            let taken = try Author(trial.id(), "Ada").object
            try await trial.insert(taken)
            let bad = try Author(trial.id(), "Ada").object
            for position in 0...4 {
                var inserts = try (0..<4).map { try Author(trial.id(), "New \($0)").object }
                inserts.insert(bad, at: position)
                let renamed = try Author(EntityID(taken.id), "Ada", email: "ada@example.org").object
                let changes = ChangeSet(inserts: inserts, updates: [taken.update(to: renamed, expecting: 1)])
                try await duplicate(of: "a taken name") { try await trial.store.commit(changes) }
                try await trial.expectCount(1, of: taken.schema)
                try await trial.expectStored(taken, version: 1)
            }
        }.tests("commit.1", "commit.30"),
        Law(.commits, "Undeclared members are refused, naming entity and id") { trial in
            var book = Book(trial.id(), "Bread")
            book.chapters = [Chapter(trial.id(), "Flour")]
            let (stored, new) = (try book.object, try Book(trial.id(), "Cake").object)
            try await trial.insert(stored)
            for (what, changes) in try Undeclared.changeSets(of: stored, new: new, in: trial) {
                let field = try await invalidField(of: what) { try await trial.store.commit(changes) }
                try expect(
                    ["book", "chapter"].contains(field.entity), "the error of \(what) names the entity \(field.entity)")
                try expect(field.id != nil, "the error of \(what) names no id")
            }
            let stranger = EntitySchema(name: "stranger", columns: [])
            let error = try await failure(of: "a stranger") {
                try await trial.insert(StorageObject(schema: stranger, id: new.id, values: []))
            }
            guard case .unknownEntity("stranger") = error else { throw LawBroken("unexpected error: \(error)") }
            try await trial.expectStored(stored, version: 1)
            try await trial.expectAbsent(new)
        }.tests("commit.8", "declared.2", "declared.5", "declared.6", "invalid.1", "invalid.2"),
        Law(.commits, "A refused change set can be committed once the reason is removed") { trial in
            let (ada, twin) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Ada").object)
            try await trial.insert(ada)
            try await duplicate(of: "a taken name") { try await trial.insert(twin) }
            _ = try await trial.store.commit(ChangeSet(deletes: [ada.deletion(expecting: 1)]))
            try await trial.insert(twin)
            try await trial.expectStored(twin)
        }.tests("commit.30"),
        Law(.commits, "Objects of different schemas may have one id") { trial in
            let id = RawID(high: 5, low: 5)
            let (author, genre) = (try Author(EntityID(id), "Ada").object, try Genre(EntityID(id), "Crime").object)
            try await trial.insert(author, genre)
            try await trial.expectStored(author, genre)
            _ = try await trial.store.commit(ChangeSet(deletes: [author.deletion(expecting: 1)]))
            try await trial.expectAbsent(author)
            try await trial.expectStored(genre)
        }.tests("set.2", "set.5"),
        Law(.commits, "A read by ids omits missing roots and returns each root once") { trial in
            let authors = try (0..<50).map { try Author(trial.id(), "Author \($0)").object }
            _ = try await trial.store.commit(ChangeSet(inserts: authors))
            let asked = authors.map(\.id) + [RawID(high: 0, low: 0)] + authors.prefix(10).map(\.id)
            let found = try await trial.store.read(asked, of: AuthorMapper.schema)
            try expect("the result", found.map(\.id).sorted(), is: authors.map(\.id).sorted())
            let none = try await trial.store.read([], of: AuthorMapper.schema)
            try expect("the result without ids", none.count, is: 0)
        }.tests("ids.1", "ids.2", "ids.3"),
        Law(.commits, "A read by very many ids returns the existing roots") { trial in
            let counters = try (0..<500).map { _ in try Counter(trial.id()).object }
            _ = try await trial.store.commit(ChangeSet(inserts: counters))
            let strangers = trial.ids(40_000, Counter.self).map(\.rawValue)
            let found = try await trial.store.read(strangers + counters.map(\.id), of: CounterMapper.schema)
            try expect("the number of results", found.count, is: 500)
        }.tests("ids.2", "ids.4"),
        Law(.commits, "A change set above the size limit is refused as too large, and stores nothing") {
            trial in
            let bytes = [UInt8](repeating: 7, count: ChangeSet.byteLimit / 64)
            let pictures = try (0..<65).map { _ in try Picture(trial.id(), bytes).object }
            let error = try await failure(of: "committing it") {
                try await trial.store.commit(ChangeSet(inserts: pictures))
            }
            guard case .unavailable(let trouble) = error, trouble.reason == .tooLarge else {
                throw LawBroken("unexpected error: \(error)")
            }
            try await trial.expectCount(0, of: PictureMapper.schema)
        }.tests("commit.30", "declared.1", "error.17"),
        Law(.commits, "A schema that the store was not opened with is refused") { trial in
            let foreign = EntitySchema(name: "stranger", columns: [])
            let errors = [
                try await failure(of: "reading a page") { try await trial.store.read(ReadRequest(foreign)) },
                try await failure(of: "reading by id") {
                    try await trial.store.read([RawID(high: 0, low: 1)], of: foreign)
                },
                try await failure(of: "counting") {
                    try await trial.store.counts(CountRequest(foreign, where: .always(true), by: .column(0)))
                },
            ]
            for error in errors {
                guard case .unknownEntity("stranger") = error else { throw LawBroken("unexpected error: \(error)") }
            }
        }.tests("store.1"),
    ]
}
