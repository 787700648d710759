internal import LarderData
internal import LarderDomain

/// Saves by unique properties.
enum KeyLaws {
    static let all: [Law] = [
        Law(.uniqueness, "A save by a unique property creates, or replaces the stored entity, which keeps its id") {
            trial in
            let ada = Author(trial.id(), "Ada", email: "ada@example.org")
            let created = try await trial.manager.save(ada, by: \.email)
            try expect("the first save", created, is: Saved(.inserted, Stored(ada, version: 1)))
            let replaced = try await trial.manager.save(
                Author(trial.id(), "Ada the elder", email: "ada@example.org"), by: \.email)
            let elder = Author(ada.id, "Ada the elder", email: "ada@example.org")
            try expect("the second save", replaced, is: Saved(.updated, Stored(elder, version: 2)))
            let (store, manager) = try trial.recording()
            let same = try await manager.save(
                Author(trial.id(), "Ada the elder", email: "ada@example.org"), by: \.email)
            try expect("the same again", same, is: Saved(.unchanged, Stored(elder, version: 2)))
            try expect("the number of commits", store.commits.count, is: 0)
            let renamed = try await trial.manager.save(Author(trial.id(), "Ada the elder"), by: \.name)
            try expect("by name", renamed, is: Saved(.updated, Stored(Author(ada.id, "Ada the elder"), version: 3)))
            let other = try await trial.manager.save(Author(trial.id(), "Bea"), by: \.email)
            try expect("another without an e-mail", other.outcome, is: .inserted)
            try await trial.expectCount(2, of: Author.self)
        }.tests("key.1", "key.2", "key.4", "key.5"),
        Law(.uniqueness, "A save by a unique group, or by a folded text, compares all its values") { trial in
            let shelf = Shelf(trial.id(), room: "Hall", label: "A")
            try await trial.manager.create(shelf)
            let saved = try await trial.manager.save(
                Shelf(trial.id(), room: "Hall", label: "B"), by: \.label, \.room)
            try expect("another label", saved.outcome, is: .inserted)
            let same = try await trial.manager.save(Shelf(trial.id(), room: "Hall", label: "A"), by: \.room, \.label)
            try expect("the same values", same.stored.id, is: shelf.id)
            for _ in 0..<2 {
                let unlabelled = try await trial.manager.save(Shelf(trial.id(), room: "Hall"), by: \.room, \.label)
                try expect("a shelf without a label", unlabelled.outcome, is: .inserted)
            }
            try await trial.expectCount(4, of: Shelf.self)
            let venue = Venue(id: trial.id(), name: "Éclair", place: try Location(city: "Paris"))
            try await trial.manager.create(venue)
            var other = Venue(id: trial.id(), name: "ECLAIR", place: try Location(city: "Lyon"))
            other.halls = [Hall(id: trial.id(), seats: 80)]
            let folded = try await trial.manager.save(other, by: \.name.folded)
            try expect("the id", folded.stored.id, is: venue.id)
            try expect("the halls", try await trial.manager.require(venue.id).halls, is: other.halls)
        }.tests("key.1", "key.5"),
        Law(.uniqueness, "A save by properties that are not unique is refused") { trial in
            try await expectUnsupported("a save by half of a group") {
                try await trial.manager.save(Shelf(trial.id(), room: "Hall", label: "A"), by: \.room)
            }
            try await expectUnsupported("a save by a count") {
                try await trial.manager.save(Counter(trial.id()), by: \.count)
            }
            try await trial.expectCount(0, of: Shelf.self)
        }.tests("key.6"),
        Law(.uniqueness, "A batch by a unique property is one commit, and refuses equal values") { trial in
            let stored = (0..<20).map { Author(trial.id(), "Author \($0)", email: "\($0)@example.org") }
            try await trial.manager.create(contentsOf: stored)
            let given = (10..<40).map { Author(trial.id(), "New \($0)", email: "\($0)@example.org") }
            let (store, manager) = try trial.recording()
            let saved = try await manager.save(contentsOf: given, by: \.email)
            try expect("the number of commits", store.commits.count, is: 1)
            try expect("the created ones", saved.count { $0.outcome == .inserted }, is: 20)
            try expect("the ids", saved.prefix(10).map(\.stored.id), is: stored.suffix(10).map(\.id))
            try await trial.expectCount(40, of: Author.self)
            let twice = [
                Author(trial.id(), "X", email: "x@example.org"), Author(trial.id(), "Y", email: "x@example.org"),
            ]
            let equal = try await duplicate(of: "a batch with equal values") {
                try await trial.manager.save(contentsOf: twice, by: \.email)
            }
            try expect("the first of them", equal.existing, is: twice[0].id.rawValue)
            try await trial.expectCount(40, of: Author.self)
            let taken = Author(trial.id(), "Z", email: "x@example.org")
            try await trial.manager.create(taken)
            let refused = try await duplicate(of: "a batch with equal values that are stored") {
                try await trial.manager.save(contentsOf: twice, by: \.email)
            }
            try expect("the entity that has them", refused.existing, is: taken.id.rawValue)
            try expect("the columns", refused.columns, is: ["email"])
            try await trial.expectStored(taken, version: 1)
        }.tests("key.1", "key.7", "key.8"),
        Law(.uniqueness, "Concurrent saves by a unique property create one entity") { trial in
            for round in 0..<5 {
                let authors = (0..<8).map { Author(trial.id(), "\(round) \($0)", email: "\(round)@example.org") }
                let outcomes = try await withThrowingTaskGroup { group in
                    for author in authors {
                        group.addTask { try await trial.manager.save(author, by: \.email).outcome }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try expect("the created ones", outcomes.count { $0 == .inserted }, is: 1)
                try await trial.expectCount(round + 1, of: Author.self)
            }
        }.tests("key.3"),
        Law(.transactions, "A save by a unique property in a transaction finds pending entities, and no deleted ones") {
            trial in
            let ada = Author(trial.id(), "Ada", email: "ada@example.org")
            let (bea, new) = (Author(trial.id(), "Bea"), Author(trial.id(), "New", email: "ada@example.org"))
            try await trial.manager.create(ada)
            let outcomes = try await trial.manager.transaction { manager in
                try await manager.delete(ada.id)
                let first = try await manager.save(new, by: \.email)
                let second = try await manager.save(Author(trial.id(), "Newer", email: "ada@example.org"), by: \.email)
                try expect("the id", second.stored.id, is: new.id)
                let third = try await manager.save(bea, by: \.name)
                return [first, second, third].map(\.outcome)
            }
            try expect("the outcomes", outcomes, is: [.inserted, .updated, .inserted])
            try await trial.expectStored(Author(new.id, "Newer", email: "ada@example.org"), version: 1)
            try await trial.expectCount(2, of: Author.self)
        }.tests("key.1", "transaction.3"),
    ]
}
