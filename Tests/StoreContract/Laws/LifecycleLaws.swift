internal import LarderData
internal import LarderDomain

enum LifecycleLaws {
    static let all: [Law] = [
        Law(.lifecycle, "A created entity can be read, at version 1") { trial in
            let author = Author(trial.id(), "Ada")
            let created = try await trial.manager.create(author)
            try expect("the result of create", created, is: Stored(author, version: 1))
            try await trial.expectStored(author, version: 1)
        }.tests("create.1", "create.2", "read.1"),
        Law(.lifecycle, "An existing entity cannot be created again") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let found = try await duplicate(of: "creating it again") {
                try await trial.manager.create(Author(author.id, "Bea"))
            }
            try expect("the columns", found.columns, is: ["id"])
            try expect("the existing id", found.existing, is: author.id.rawValue)
            try await trial.expectStored(author, version: 1)
        }.tests("create.3", "duplicate.2", "duplicate.3", "error.4"),
        Law(.lifecycle, "A missing entity is read as nil, and cannot be required") { trial in
            let id: EntityID<Author> = trial.id()
            try await trial.expectAbsent(id)
            try await expectNotFound("requiring it") { try await trial.manager.require(id) }
        }.tests("error.3", "read.1", "read.7"),
        Law(.lifecycle, "Entities are read in the order of the requested ids, without missing ones") {
            trial in
            let authors = (0..<100).map { Author(trial.id(), "Author \($0)") }
            for author in authors { try await trial.manager.create(author) }
            for count in [3, 100] {
                let asked = authors.prefix(count).reversed().map(\.id) + [trial.id()]
                let found = try await trial.manager.read(asked)
                try expect("the order", found.map(\.id), is: Array(asked.dropLast()))
                try expect("their versions", Set(found.map(\.version)), is: [1])
            }
            try expect("none", try await trial.manager.read([EntityID<Author>]()).count, is: 0)
        }.tests("read.3", "read.4", "read.5"),
        Law(.lifecycle, "An update raises the version by one, and later reads return it") { trial in
            var author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            for version in 2...4 as ClosedRange<Int64> {
                author.email = "ada\(version)@example.org"
                let saved = try await trial.manager.update(author, expecting: version - 1)
                try expect("the result of update", saved, is: Saved(.updated, Stored(author, version: version)))
                try await trial.expectStored(author, version: version)
            }
        }.tests("update.1"),
        Law(.lifecycle, "A value can be removed again") { trial in
            var author = Author(trial.id(), "Ada", email: "ada@example.org")
            try await trial.manager.create(author)
            author.email = nil
            try await trial.manager.update(author)
            try await trial.expectStored(author, version: 2)
        }.tests("update.1", "update.4"),
        Law(.lifecycle, "A missing entity cannot be updated") { trial in
            let author = Author(trial.id(), "Ada")
            try await expectNotFound("updating it") { try await trial.manager.update(author) }
            try await expectNotFound("updating it with a version") {
                try await trial.manager.update(author, expecting: 1)
            }
            try await trial.expectAbsent(author.id)
        }.tests("update.5"),
        Law(.lifecycle, "A save creates a missing entity or replaces an existing one, and reports which") { trial in
            var author = Author(trial.id(), "Ada")
            let first = try await trial.manager.save(author)
            try expect("the first save", first, is: Saved(.inserted, Stored(author, version: 1)))
            author.name = "Ada the elder"
            let second = try await trial.manager.save(author)
            try expect("the second save", second, is: Saved(.updated, Stored(author, version: 2)))
            let third = try await trial.manager.save(author)
            try expect("the third save", third, is: Saved(.unchanged, Stored(author, version: 2)))
        }.tests("save.1", "save.4"),
        Law(.lifecycle, "A deletion deletes its entity, and no other") { trial in
            let (ada, bea) = (Author(trial.id(), "Ada"), Author(trial.id(), "Bea"))
            for author in [ada, bea] { try await trial.manager.create(author) }
            try await trial.manager.delete(ada.id, expecting: 1)
            try await trial.expectAbsent(ada.id)
            try await trial.expectStored(bea, version: 1)
            try await trial.expectCount(1, of: Author.self)
        }.tests("delete.1"),
        Law(.lifecycle, "A missing entity cannot be deleted") { trial in
            try await expectNotFound("deleting it") { try await trial.manager.delete(trial.id(Author.self)) }
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            try await trial.manager.delete(author.id)
            try await expectNotFound("deleting it again") { try await trial.manager.delete(author.id) }
        }.tests("delete.4"),
        Law(.lifecycle, "A deleted id can be created again, at version 1") { trial in
            let id: EntityID<Author> = trial.id()
            try await trial.manager.create(Author(id, "Ada"))
            try await trial.manager.save(Author(id, "Ada the elder"))
            try await trial.manager.delete(id)
            try await trial.manager.create(Author(id, "Ada"))
            try await trial.expectStored(Author(id, "Ada"), version: 1)
        }.tests("create.1"),
        Law(.lifecycle, "An entity without a mapper is refused") { trial in
            let error = try await failure(of: "reading it") { try await trial.manager.read(trial.id(Stranger.self)) }
            guard case .unknownEntity = error else { throw LawBroken("unexpected error: \(error)") }
        }.tests("error.11"),
    ]
}

/// An entity without a mapper.
private struct Stranger: Entity {
    let id: EntityID<Stranger>
}
