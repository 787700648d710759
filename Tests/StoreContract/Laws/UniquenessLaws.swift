internal import LarderData
internal import LarderDomain

enum UniquenessLaws {
    static let all: [Law] = [
        Law(.uniqueness, "An existing id cannot be inserted") { trial in
            let author = try Author(trial.id(), "Ada").object
            try await trial.insert(author)
            let found = try await duplicate(of: "a second insert") {
                try await trial.insert(try Author(EntityID(author.id), "Bea").object)
            }
            try expect("the duplicate", found, is: Duplicate(entity: "author", columns: ["id"], existing: author.id))
            try await trial.expectStored(author)
        }.tests("commit.12", "duplicate.1", "duplicate.2", "duplicate.3", "set.2"),
        Law(.uniqueness, "A unique value that is taken is refused, naming entity, column and holder") { trial in
            let author = try Author(trial.id(), "Ada").object
            try await trial.insert(author)
            let found = try await duplicate(of: "a taken name") {
                try await trial.insert(try Author(trial.id(), "Ada").object)
            }
            try expect("the duplicate", found, is: Duplicate(entity: "author", columns: ["name"], existing: author.id))
        }.tests("commit.14", "duplicate.1", "duplicate.2", "duplicate.3"),
        Law(.uniqueness, "An update cannot take the value of another root") { trial in
            let (ada, bea) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            try await trial.insert(ada, bea)
            let renamed = try Author(EntityID(bea.id), "Ada").object
            let found = try await duplicate(of: "a taken name") {
                try await trial.store.commit(ChangeSet(updates: [bea.update(to: renamed, expecting: 1)]))
            }
            try expect("the holder", found.existing, is: ada.id)
            try await trial.expectStored(ada, bea)
        }.tests("commit.14", "duplicate.3"),
        Law(.uniqueness, "Two new roots cannot have one value") { trial in
            let (one, two) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Ada").object)
            let found = try await duplicate(of: "the same name twice") { try await trial.insert(one, two) }
            try expect("the columns", found.columns, is: ["name"])
            try expect([one.id, two.id].contains(found.existing), "the holder is neither of the two")
            try await trial.expectAbsent(one, two)
        }.tests("commit.14", "duplicate.2"),
        Law(.uniqueness, "Any number of roots may lack a unique value") { trial in
            for name in ["Ada", "Bea", "Cleo"] { try await trial.insert(try Author(trial.id(), name).object) }
            try await trial.expectCount(3, of: AuthorMapper.schema)
            try await trial.insert(try Author(trial.id(), "Dora", email: "d@example.org").object)
            let found = try await duplicate(of: "a taken address") {
                try await trial.insert(try Author(trial.id(), "Eve", email: "d@example.org").object)
            }
            try expect("the columns", found.columns, is: ["email"])
        }.tests("commit.26"),
        Law(.uniqueness, "Columns that are unique together may each have equal values") { trial in
            let first = try Shelf(trial.id(), room: "kitchen", label: "A").object
            try await trial.insert(first)
            try await trial.insert(try Shelf(trial.id(), room: "kitchen", label: "B").object)
            try await trial.insert(try Shelf(trial.id(), room: "cellar", label: "A").object)
            let found = try await duplicate(of: "a taken place") {
                try await trial.insert(try Shelf(trial.id(), room: "kitchen", label: "A").object)
            }
            let expected = Duplicate(entity: "shelf", columns: ["room", "label"], existing: first.id)
            try expect("the duplicate", found, is: expected)
            for _ in 0..<2 { try await trial.insert(try Shelf(trial.id(), room: "kitchen").object) }
        }.tests("commit.14", "commit.26", "duplicate.2"),
        Law(.uniqueness, "Two roots can swap their values in one commit") { trial in
            let (ada, bea) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            try await trial.insert(ada, bea)
            let (one, two) = (try Author(EntityID(ada.id), "Bea").object, try Author(EntityID(bea.id), "Ada").object)
            let swap = [ada.update(to: one, expecting: 1), bea.update(to: two, expecting: 1)]
            _ = try await trial.store.commit(ChangeSet(updates: swap))
            try await trial.expectStored(one, two, version: 2)
            try await duplicate(of: "a name taken since the swap") {
                try await trial.insert(try Author(trial.id(), "Ada").object)
            }
        }.tests("commit.21"),
        Law(.uniqueness, "Values can rotate among roots, and move to a new one") { trial in
            let names = ["Ada", "Bea", "Cleo", "Dora"]
            let authors = try names.map { try Author(trial.id(), $0).object }
            _ = try await trial.store.commit(ChangeSet(inserts: authors))
            let moved = try authors.indices.map { index in
                try Author(EntityID(authors[index].id), index == 3 ? "Eve" : names[index + 1]).object
            }
            let updates = zip(authors, moved).map { $0.update(to: $1, expecting: 1) }
            let new = try Author(trial.id(), "Ada").object
            _ = try await trial.store.commit(ChangeSet(inserts: [new], updates: updates))
            for object in moved { try await trial.expectStored(object, version: 2) }
            try await trial.expectStored(new)
        }.tests("commit.21", "commit.22"),
        Law(.uniqueness, "A deletion frees its values within the commit") { trial in
            let (old, new) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Ada").object)
            try await trial.insert(old)
            _ = try await trial.store.commit(ChangeSet(inserts: [new], deletes: [old.deletion(expecting: 1)]))
            try await trial.expectAbsent(old)
            try await trial.expectStored(new)
        }.tests("commit.22"),
        Law(.uniqueness, "A freed value can be taken, and errors name its new holder") { trial in
            let ada = try Author(trial.id(), "Ada").object
            try await trial.insert(ada)
            let renamed = try Author(EntityID(ada.id), "Bea").object
            _ = try await trial.store.commit(ChangeSet(updates: [ada.update(to: renamed, expecting: 1)]))
            let new = try Author(trial.id(), "Ada").object
            try await trial.insert(new)
            let found = try await duplicate(of: "a name taken again") {
                try await trial.insert(try Author(trial.id(), "Ada").object)
            }
            try expect("the holder", found.existing, is: new.id)
        }.tests("commit.14", "duplicate.3"),
        Law(.uniqueness, "Unique texts compare by their bytes in canonical composition") { trial in
            for name in ["ada", "Ada", "ADA", "Ada ", "Adä", "Ада", "\u{1F34E}", "\u{1F350}", "\u{FFFD}", "\u{E000}"] {
                try await trial.manager.create(Author(trial.id(), name))
            }
            try await duplicate(of: "the same text in other code points") {
                try await trial.manager.create(Author(trial.id(), "Ada\u{308}"))
            }
        }.tests("commit.25", "create.3"),
        Law(.uniqueness, "Versions are judged before values") { trial in
            let (ada, bea) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            try await trial.insert(ada, bea)
            let renamed = try Author(EntityID(bea.id), "Ada").object
            try await conflict(of: "a stale version and a taken name") {
                try await trial.store.commit(ChangeSet(updates: [bea.update(to: renamed, expecting: 5)]))
            }
        }.tests("commit.6", "commit.10"),
    ]
}
