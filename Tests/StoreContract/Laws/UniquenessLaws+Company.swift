internal import LarderData
internal import LarderDomain

/// Unique values of a root that the same commit also writes for another reason.
extension UniquenessLaws {
    static let company: [Law] = [
        Law(.uniqueness, "A value remains taken if the commit changes another column of its holder") {
            trial in
            let (ada, bea) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            try await trial.insert(ada, bea)
            let thief = ada.update(to: try Author(EntityID(ada.id), "Bea").object, expecting: 1)
            let keeper = try Author(EntityID(bea.id), "Bea", email: "bea@example.org").object
            for updates in [
                [thief, bea.update(to: keeper, expecting: 1)], [bea.update(to: keeper, expecting: 1), thief],
            ] {
                let found = try await duplicate(of: "a name that its holder keeps") {
                    try await trial.store.commit(ChangeSet(updates: updates))
                }
                // Both are written; the duplicate error may name either.
                try expect("the columns of the duplicate", found.columns, is: ["name"])
                try await trial.expectStored(ada, bea)
            }
        }.tests("commit.14"),
        Law(.uniqueness, "A value remains taken if the commit writes a root of another schema with its holder's id") {
            trial in
            let ids = trial.ids(2, Genre.self).map(\.rawValue)
            let (maps, verse) = (
                try Genre(EntityID(ids[0]), "maps").object, try Genre(EntityID(ids[1]), "verse").object
            )
            try await trial.insert(maps, verse)
            let namesake = try Author(EntityID(maps.id), "Ada").object
            let thief = verse.update(to: try Genre(EntityID(verse.id), "maps").object, expecting: 1)
            let found = try await duplicate(of: "a name that is taken") {
                try await trial.store.commit(ChangeSet(inserts: [namesake], updates: [thief]))
            }
            try expect("the duplicate", found, is: Duplicate(entity: "genre", columns: ["name"], existing: maps.id))
            let other = try Genre(trial.id(), "verse").object
            try await duplicate(of: "another name that is taken") {
                try await trial.insert(other, try Author(EntityID(verse.id), "Bea").object)
            }
            try await trial.expectStored(maps, verse)
        }.tests("commit.14", "duplicate.1", "duplicate.3"),
    ]
}
