internal import LarderData
internal import LarderDomain

enum ChangeTrackingLaws {
    static let all: [Law] = [
        Law(.changeTracking, "Saving an unchanged entity commits nothing and keeps the version") { trial in
            let book = try await trial.richBook()
            try await trial.manager.create(book)
            let (store, manager) = try trial.recording()
            try expect("the outcome of save", try await manager.save(book).outcome, is: .unchanged)
            try expect("the outcome of update", try await manager.update(book, expecting: 1).outcome, is: .unchanged)
            let inside = try await manager.transaction { try await $0.save(book).outcome }
            try expect("the outcome inside a transaction", inside, is: .unchanged)
            try expect("the number of commits", store.commits.count, is: 0)
            try await trial.expectStored(book, version: 1)
        }.tests("save.4", "transaction.6", "update.3"),
        Law(.changeTracking, "Saving an unchanged entity writes no row", needs: [.countsWrites]) { trial in
            let book = try await trial.richBook()
            try await trial.manager.create(book)
            let rows = try await trial.rowsWritten { _ = try await trial.manager.save(book) }
            try expect("the rows written", rows, is: 0)
        }.tests("save.4"),
        Law(.changeTracking, "Saving an unchanged entity writes no byte", needs: [.countsBytes]) { trial in
            let book = try await trial.richBook()
            try await trial.manager.create(book)
            let before = await trial.store.measured()?.bytesWritten
            try await trial.manager.save(book)
            try await trial.manager.transaction { try await $0.save(book) }
            try expect("the bytes written", await trial.store.measured()?.bytesWritten, is: before)
        }.tests("save.4"),
        Law(.changeTracking, "An update names the columns that differ and no others") { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            let (store, manager) = try trial.recording()
            (book.pages, book.subtitle) = (12, "")
            try await manager.save(book)
            var expected = ObjectChanges()
            expected.columns = [
                ColumnChange(column: 1, value: .text("")), ColumnChange(column: 2, value: .integer(12)),
            ]
            let update = RootUpdate(try book.object.key, expected: 1, changes: expected)
            try expect("the change set", store.commits, is: [ChangeSet(updates: [update])])
            try await trial.expectStored(book, version: 2)
            book.inPrint = false
            try await manager.update(book, expecting: 2)
            let columns = store.commits.last?.updates.first?.changes.columns.map(\.value)
            try expect("the columns of an update", columns, is: [.integer(0)])
        }.tests("manager.1", "save.3", "update.2"),
        Law(.changeTracking, "A change of one owned object names only this object") { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            let (store, manager) = try trial.recording()
            book.chapters[2].notes[0].text = "a pinch"
            try await manager.save(book)
            var (note, chapter, root) = (ObjectChanges(), ObjectChanges(), ObjectChanges())
            note.columns = [ColumnChange(column: 0, value: .text("a pinch"))]
            chapter.children = [
                ChildChange(
                    relationship: 0, id: book.chapters[2].notes[0].id.rawValue, kind: .update(position: nil, note))
            ]
            root.children = [
                ChildChange(relationship: 0, id: book.chapters[2].id.rawValue, kind: .update(position: nil, chapter))
            ]
            try expect(
                "the changes", store.commits.map(\.updates),
                is: [
                    [RootUpdate(try book.object.key, expected: 1, changes: root)]
                ])
        }.tests("save.3"),
        Law(.changeTracking, "A change of one link names only its position") { trial in
            let books = (0..<4).map { Book(trial.id(), "Book \($0)") }
            for book in books { try await trial.manager.create(book) }
            var shelf = Shelf(trial.id(), room: "kitchen", books: books.prefix(3).map(\.id))
            try await trial.manager.create(shelf)
            let (store, manager) = try trial.recording()
            shelf.books[1] = books[3].id
            try await manager.save(shelf)
            let place = LinkPlace(position: 1, id: books[3].id.rawValue)
            try expect(
                "the links", store.commits.flatMap(\.updates).map(\.changes.links),
                is: [
                    [LinkChange(relationship: 0, places: [place], count: 3)]
                ])
        }.tests("save.3"),
        Law(.changeTracking, "A change that is reverted within a transaction is no change") { trial in
            let book = try await trial.richBook()
            try await trial.manager.create(book)
            let (store, manager) = try trial.recording()
            try await manager.transaction { manager in
                var changed = book
                (changed.title, changed.chapters) = ("Cake", [])
                try await manager.save(changed)
                try await manager.save(book)
            }
            try expect("the number of commits", store.commits.count, is: 0)
            try await trial.expectStored(book, version: 1)
        }.tests("save.4", "transaction.6"),
        Law(.changeTracking, "A unit of work reports whether it has changes, and saves only if it has") { trial in
            let book = try await trial.richBook()
            try await trial.manager.create(book)
            let unit = UnitOfWork(trial.store)
            try await unit.save(book.object)
            try expect("whether it has changes", unit.hasChanges, is: false)
            try expect("whether it wrote", try await unit.saveIfNeeded(), is: false)
            var changed = book
            changed.title = "Cake"
            try await unit.save(changed.object)
            try expect("whether it has changes", unit.hasChanges, is: true)
            try await unit.save(book.object)
            try expect("whether it has changes", unit.hasChanges, is: false)
            try await unit.save(changed.object)
            try expect("whether it wrote", try await unit.saveIfNeeded(), is: true)
            try expect("whether it has changes", unit.hasChanges, is: false)
            try await trial.expectStored(changed, version: 2)
        }.tests("transaction.6"),
        Law(.changeTracking, "An update writes a row for each object that changed", needs: [.countsWrites]) { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            book.pages = 7
            let column = book
            try expect(
                "rows for a column", try await trial.rowsWritten { _ = try await trial.manager.save(column) }, is: 1)
            book.chapters[1].minutes = 3
            let child = book
            let rows = try await trial.rowsWritten { _ = try await trial.manager.save(child) }
            try expect(rows <= 2, "a change of one owned object wrote \(rows) rows")
        }.tests("save.3"),
        Law(.changeTracking, "Reads, refused commits and empty commits count no written rows", needs: [.countsWrites]) {
            trial in
            let author = try Author(trial.id(), "Ada").object
            let one = try await trial.rowsWritten { try await trial.insert(author) }
            try expect("the rows of an insert", one, is: 1)
            let none = try await trial.rowsWritten {
                _ = try await trial.store.commit(ChangeSet(reads: [RootExpectation(author.key, version: 1)]))
                try await duplicate(of: "a taken name") { try await trial.insert(try Author(trial.id(), "Ada").object) }
                _ = try await trial.manager.read(Query<Author>())
            }
            try expect("the rows of operations that write nothing", none, is: 0)
        }.tests("commit.30", "error.1", "feature.1"),
    ]
}

extension Trial {
    /// The number of rows that an action writes.
    func rowsWritten(by action: () async throws -> Void) async throws -> Int {
        let before = await store.measured()?.rowsWritten
        try await action()
        let after = await store.measured()?.rowsWritten
        guard let before, let after else { throw LawBroken("the store says that it counts rows, and does not") }
        return after - before
    }
}
