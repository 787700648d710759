internal import LarderData
internal import LarderDomain

enum ConflictLaws {
    static let all: [Law] = [
        Law(.conflicts, "An update of a concurrently changed entity is refused, whichever columns were changed") {
            trial in
            let author = Author(trial.id(), "Ada")
            let read = try await trial.manager.create(author)
            let theirs = Author(author.id, "Ada", email: "ada@example.org")
            try await trial.manager.update(theirs, expecting: read.version)
            let mine = Author(author.id, "Ada the elder")
            let conflict = try await conflict(of: "the second update") {
                try await trial.manager.update(mine, expecting: read.version)
            }
            try expect("the root of the conflict", conflict.reference, is: EntityReference(author.id))
            try expect("the version expected", conflict.expected, is: 1)
            try expect("the version found", conflict.found, is: 2)
            try expect("mine", conflict.mine as? Author, is: mine)
            try expect("theirs", conflict.theirs as? Author, is: theirs)
            try await trial.expectStored(theirs, version: 2)
        }.tests("conflict.1", "conflict.2", "conflict.3", "conflict.5", "conflict.6", "error.7", "update.6"),
        Law(.conflicts, "A conflict at the commit has base, mine and theirs") { trial in
            let base = Author(trial.id(), "Ada")
            try await trial.manager.create(base)
            let (mine, theirs) = (Author(base.id, "Mine"), Author(base.id, "Theirs"))
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.save(theirs) }
            let conflict = try await conflict(of: "the slower update") {
                try await manager.update(mine, expecting: 1)
            }
            try expect("base", conflict.base as? Author, is: base)
            try expect("mine", conflict.mine as? Author, is: mine)
            try expect("theirs", conflict.theirs as? Author, is: theirs)
            try await trial.expectStored(theirs, version: 2)
        }.tests("conflict.4", "conflict.5", "conflict.6", "update.6"),
        Law(.conflicts, "The version theirs of a conflict is nil after a concurrent deletion") { trial in
            let base = Author(trial.id(), "Ada")
            try await trial.manager.create(base)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.delete(base.id) }
            let conflict = try await conflict(of: "the update of a deleted entity") {
                try await manager.update(Author(base.id, "Mine"), expecting: 1)
            }
            try expect("theirs", conflict.theirs as? Author, is: nil)
            try expect("the version found", conflict.found, is: nil)
            try await trial.expectAbsent(base.id)
        }.tests("conflict.3", "conflict.6"),
        Law(.conflicts, "A deletion of a concurrently changed entity is refused") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            try await trial.manager.save(Author(author.id, "Ada the elder"))
            let conflict = try await conflict(of: "deleting an old version") {
                try await trial.manager.delete(author.id, expecting: 1)
            }
            try expect("the version found", conflict.found, is: 2)
            try await trial.expectStored(Author(author.id, "Ada the elder"), version: 2)
        }.tests("conflict.3", "delete.5"),
        Law(.conflicts, "A change of an owned object is a change of its root") { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            let before = book
            book.chapters[0].minutes = 99
            try await trial.manager.update(book, expecting: 1)
            var mine = before
            mine.title = "Mine"
            let conflict = try await conflict(of: "an update on the old version") {
                try await trial.manager.update(mine, expecting: 1)
            }
            try expect("theirs", conflict.theirs as? Book, is: book)
        }.tests("conflict.6", "set.15", "update.6"),
        Law(.conflicts, "A save without a version replaces what a concurrent commit has stored") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            let theirs = Author(author.id, "Theirs", email: "theirs@example.org")
            store.beforeNextCommit { _ in try await outer.save(theirs) }
            let mine = Author(author.id, "Mine")
            let saved = try await manager.save(mine)
            try expect("the result of save", saved, is: Saved(.updated, Stored(mine, version: 3)))
            try await trial.expectStored(mine, version: 3)
        }.tests("save.2"),
        Law(.conflicts, "A save creates a concurrently deleted entity, and replaces a concurrently created one") {
            trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.delete(author.id) }
            let mine = Author(author.id, "Mine")
            try expect("the outcome", try await manager.save(mine).outcome, is: .inserted)
            try await trial.expectStored(mine, version: 1)
            let new = Author(trial.id(), "New")
            store.beforeNextCommit { _ in try await outer.create(Author(new.id, "Theirs")) }
            try expect("the outcome", try await manager.save(new).outcome, is: .updated)
            try await trial.expectStored(new, version: 2)
        }.tests("save.1", "save.2"),
        Law(.conflicts, "A removal of an owned object conflicts like any other change") { trial in
            let picture = Picture(trial.id(), [1])
            func book(_ title: String, cover: EntityID<Picture>?) -> Book {
                var book = Book(EntityID(picture.id.rawValue), title)
                book.cover = cover
                return book
            }
            let (base, theirs) = (book("Bread", cover: picture.id), book("Theirs", cover: picture.id))
            let mine = book("Mine", cover: nil)
            try await trial.manager.create(picture)
            try await trial.manager.create(base)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.save(theirs) }
            let conflict = try await conflict(of: "the slower one") { try await manager.update(mine, expecting: 1) }
            try expect("base", conflict.base as? Book, is: base)
            try expect("mine", conflict.mine as? Book, is: mine)
            try expect("theirs", conflict.theirs as? Book, is: theirs)
            store.beforeNextCommit { _ in try await outer.delete(base.id) }
            try expect("the outcome", try await manager.save(mine).outcome, is: .inserted)
            try await trial.expectStored(mine, version: 1)
            try await trial.expectAbsent(picture.id)
        }.tests("conflict.4", "conflict.5", "conflict.6", "save.2", "update.6"),
        Law(.conflicts, "A deletion without a version deletes a concurrently changed entity") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.save(Author(author.id, "Theirs")) }
            try await manager.delete(author.id)
            try await trial.expectAbsent(author.id)
        }.tests("delete.3"),
        Law(.conflicts, "An expected version that has never existed is a conflict") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            for version in [0, 2, -1, .max] as [Int64] {
                try await conflict(of: "version \(version)") {
                    try await trial.manager.update(Author(author.id, "Bea"), expecting: version)
                }
                try await conflict(of: "deleting version \(version)") {
                    try await trial.manager.delete(author.id, expecting: version)
                }
            }
            try await trial.expectStored(author, version: 1)
        }.tests("delete.5", "update.6"),
    ]
}
