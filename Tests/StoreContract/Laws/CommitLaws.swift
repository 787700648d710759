internal import LarderData
internal import LarderDomain

enum CommitLaws {
    static let all: [Law] = [
        Law(.commits, "An inserted root has version 1, whatever version its object has") { trial in
            var author = try Author(trial.id(), "Ada").object
            author.version = 7
            try await trial.insert(author)
            try await trial.expectStored(author, version: 1)
        }.tests("commit.19", "set.1"),
        Law(.commits, "An update writes the columns that it names and leaves the others") { trial in
            var book = Book(trial.id(), "Bread")
            (book.subtitle, book.pages) = ("with yeast", 300)
            let object = try book.object
            try await trial.insert(object)
            var changes = ObjectChanges()
            changes.columns = [ColumnChange(column: 2, value: .integer(301))]
            let update = RootUpdate(object.key, expected: 1, changes: changes)
            _ = try await trial.store.commit(ChangeSet(updates: [update]))
            book.pages = 301
            try await trial.expectStored(book.object, version: 2)
        }.tests("set.3", "set.17"),
        Law(.commits, "A change of an owned object raises the version of its root, and changes no other column") {
            trial in
            var book = Book(trial.id(), "Bread")
            book.chapters = [Chapter(trial.id(), "Flour"), Chapter(trial.id(), "Water")]
            let before = try book.object
            try await trial.insert(before)
            book.chapters[1].minutes = 5
            let update = try before.update(to: book.object, expecting: 1)
            try expect("the columns of the root that change", update.changes.columns.count, is: 0)
            _ = try await trial.store.commit(ChangeSet(updates: [update]))
            try await trial.expectStored(book.object, version: 2)
        }.tests("set.15", "set.17"),
        Law(.commits, "An update without changes raises the version") { trial in
            let author = try Author(trial.id(), "Ada").object
            try await trial.insert(author)
            let update = author.update(to: author, expecting: 1)
            _ = try await trial.store.commit(ChangeSet(updates: [update]))
            try await trial.expectStored(author, version: 2)
        }.tests("commit.27"),
        Law(.commits, "An update to the same values raises the version") { trial in
            let topic = Press.topic(trial.rawID(), "Maps")
            let article = Press.article(trial.rawID(), "a", topics: [topic.id])
            let root = Press.magazine(trial.rawID(), "M", issue: 1, articles: [article], topics: [topic.id, topic.id])
            try await trial.insert(topic, root)
            let places = root.links[0].enumerated().map { LinkPlace(position: $0, id: $1) }
            var (columns, null, links, values, place) = (
                ObjectChanges(), ObjectChanges(), ObjectChanges(), ObjectChanges(), ObjectChanges()
            )
            columns.columns = [0, 1].map { ColumnChange(column: $0, value: root.values[$0]) }
            null.columns = [ColumnChange(column: 4, value: .null)]
            links.links = [LinkChange(relationship: 0, places: places, count: 2)]
            var inner = ObjectChanges()
            inner.columns = [ColumnChange(column: 0, value: article.values[0])]
            values.children = [ChildChange(relationship: 0, id: article.id, kind: .update(position: nil, inner))]
            place.children = [
                ChildChange(relationship: 0, id: article.id, kind: .update(position: 0, ObjectChanges()))
            ]
            let stream = await trial.store.changes()
            for (number, changes) in [columns, null, links, values, place].enumerated() {
                let version = Int64(number) + 1
                let update = RootUpdate(root.key, expected: version, changes: changes)
                _ = try await trial.store.commit(ChangeSet(updates: [update]))
                try await trial.expectStored(root, version: version + 1)
            }
            let heard = try await trial.heard(stream).map { $0.entries.map(\.version) }
            try expect("the received versions", heard, is: (2...6).map { [$0] })
        }.tests("set.15", "event.8"),
        Law(.commits, "One change set inserts, updates and deletes") { trial in
            let (old, gone, new) = (
                try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object,
                try Author(trial.id(), "Cleo").object
            )
            try await trial.insert(old, gone)
            let renamed = try Author(EntityID(old.id), "Ada the elder").object
            _ = try await trial.store.commit(
                ChangeSet(
                    inserts: [new], updates: [old.update(to: renamed, expecting: 1)],
                    deletes: [gone.deletion(expecting: 1)]))
            try await trial.expectStored(new)
            try await trial.expectStored(renamed, version: 2)
            try await trial.expectAbsent(gone)
            try await trial.expectCount(2, of: old.schema)
        }.tests("commit.1", "commit.3", "set.3", "set.5"),
        Law(.commits, "Versions of read, updated and deleted roots are judged") { trial in
            let (author, new) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            try await trial.insert(author)
            let changeSets = [
                ChangeSet(inserts: [new], updates: [author.update(to: author, expecting: 2)]),
                ChangeSet(inserts: [new], deletes: [author.deletion(expecting: 2)]),
                ChangeSet(inserts: [new], reads: [RootExpectation(author.key, version: 2)]),
            ]
            for changes in changeSets {
                let conflict = try await conflict(of: "a stale version") { try await trial.store.commit(changes) }
                try expect("the root of the conflict", conflict.reference, is: author.reference)
                try expect("the version expected", conflict.expected, is: 2)
                try expect("the version found", conflict.found, is: 1)
            }
            try await trial.expectStored(author, version: 1)
            try await trial.expectAbsent(new)
        }.tests("commit.10", "conflict.1", "conflict.2", "conflict.3", "set.4", "set.6", "set.8"),
        Law(.commits, "A root that is expected to be absent must be absent, and an updated one must exist") { trial in
            let (author, new) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            try await trial.insert(author)
            let came = RootExpectation(author.key, version: nil)
            let conflict = try await conflict(of: "a root that exists") {
                try await trial.store.commit(ChangeSet(inserts: [new], reads: [came]))
            }
            try expect("the version found", conflict.found, is: 1)
            let absent = RootExpectation(new.key, version: nil)
            _ = try await trial.store.commit(ChangeSet(inserts: [new], reads: [absent]))
            let gone = ChangeSet(updates: [try Author(trial.id(), "C").object.update(to: author, expecting: 1)])
            let other = try await failure(of: "the update of a missing root") { try await trial.store.commit(gone) }
            guard case .conflict(let missing) = other else { throw LawBroken("the error is no conflict: \(other)") }
            try expect("the version of a missing root", missing.found, is: nil)
        }.tests("commit.10", "conflict.3", "set.8"),
    ]
}
