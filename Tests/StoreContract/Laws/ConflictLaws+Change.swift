internal import LarderData
internal import LarderDomain
private import Synchronization

extension ConflictLaws {
    /// Changes by a closure.
    static let change: [Law] = [
        Law(.conflicts, "A change commits the differences that its body makes, or joins the commit of a transaction") {
            trial in
            let book = try await trial.richBook()
            try await trial.manager.create(book)
            let (store, manager) = try trial.recording()
            var renamed = book
            renamed.title = "Renamed"
            let saved = try await manager.change(book.id) { $0.title = "Renamed" }
            try expect("the result", saved, is: Saved(.updated, Stored(renamed, version: 2)))
            try expect("the columns written", store.commits.flatMap(\.updates).map(\.changes.columns.count), is: [1])
            let same = try await manager.change(book.id) { $0.title = "Renamed" }
            try expect("the result of none", same, is: Saved(.unchanged, Stored(renamed, version: 2)))
            try await manager.transaction { manager in
                try await manager.change(book.id) { $0.title += " again" }
                try await manager.change(book.id) { $0.chapters = [] }
            }
            (renamed.title, renamed.chapters) = ("Renamed again", [])
            try await trial.expectStored(renamed, version: 3)
            try expect("the number of commits", store.commits.count, is: 2)
        }.tests("change.1", "change.2"),
        Law(.conflicts, "A change runs again on the state of a concurrent commit, a bounded number of times") { trial in
            let counter = Counter(trial.id())
            try await trial.manager.create(counter)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.save(Counter(counter.id, 7)) }
            let saved = try await manager.change(counter.id) { $0.count += 1 }
            try expect("the result", saved, is: Saved(.updated, Stored(Counter(counter.id, 8), version: 3)))
            var attempts = 0
            try await conflict(of: "a change that always loses") {
                try await manager.change(counter.id) { counter in
                    attempts += 1
                    try expect(attempts < 1000, "the body ran \(attempts) times")
                    let theirs = Counter(counter.id, attempts * 10)
                    store.beforeNextCommit { _ in try await outer.save(theirs) }
                    counter.count += 1
                }
            }
            try expect(attempts > 1, "the body did not run again")
            try await trial.expectStored(Counter(counter.id, attempts * 10))
        }.tests("change.3", "change.4", "change.8"),
        Law(.conflicts, "A change throws the error of its body, and refuses another id and an absent entity") { trial in
            let (counter, other) = (Counter(trial.id(), 1), Counter(trial.id(), 2))
            try await trial.manager.create(contentsOf: [counter, other])
            do {
                _ = try await trial.manager.change(counter.id) { counter in
                    counter.count = 3
                    throw Failure.expected
                }
                throw LawBroken("the error of the body was not thrown")
            } catch Failure.expected {}
            do {
                _ = try await trial.manager.change(counter.id) { $0 = Counter(other.id, 3) }
                throw LawBroken("another id was accepted")
            } catch PersistencyError.invalid(let field) {
                try expect("the field", field.field, is: "id")
            }
            let absent = EntityReference(trial.id() as EntityID<Counter>)
            do {
                _ = try await trial.manager.change(EntityID<Counter>(absent.id)) { $0.count = 3 }
                throw LawBroken("an absent entity was changed")
            } catch PersistencyError.notFound(let reference) {
                try expect("the absent entity", reference, is: absent)
            }
            try await trial.expectStored(counter, version: 1)
            try await trial.expectStored(other, version: 1)
        }.tests("change.5", "change.6", "change.7"),
    ]

    private enum Failure: Error { case expected }
}
