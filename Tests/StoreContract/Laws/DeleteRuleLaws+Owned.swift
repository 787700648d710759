internal import LarderDomain

extension DeleteRuleLaws {
    static let owned: [Law] = [
        Law(.deleteRules, "An owned root is deleted with its owner, and when another one replaces it") {
            trial in
            let pictures = (0..<3).map { Picture(trial.id(), [UInt8($0)]) }
            for picture in pictures { try await trial.manager.create(picture) }
            var book = Book(trial.id(), "Bread")
            book.cover = pictures[0].id
            try await trial.manager.create(book)
            book.cover = pictures[1].id
            try await trial.manager.save(book)
            try await trial.expectAbsent(pictures[0].id)
            try await trial.expectStored(book, version: 2)
            try await trial.manager.delete(book.id)
            try await trial.expectAbsent(pictures[1].id)
            try await trial.expectStored(pictures[2], version: 1)
        }.tests("delete.2"),
        Law(.deleteRules, "A root that an owned object owns is deleted with it, however that is deleted") { trial in
            let genres = (0..<3).map { Genre(trial.id(), "Genre \($0)") }
            let pictures = (0..<3).map { Picture(trial.id(), [UInt8($0)]) }
            for genre in genres { try await trial.manager.create(genre) }
            for picture in pictures { try await trial.manager.create(picture) }
            var atlas = Atlas(trial.id())
            atlas.plates = zip(genres, pictures).map { Plate(trial.id(), genre: $0.id, picture: $1.id) }
            try await trial.manager.create(atlas)
            // Deletion of a part by an update, by a delete rule, and with the root.
            atlas.plates.removeFirst()
            try await trial.manager.save(atlas)
            try await trial.expectAbsent(pictures[0].id)
            try await trial.manager.delete(genres[1].id)
            atlas.plates.removeFirst()
            try await trial.expectStored(atlas, version: 3)
            try await trial.expectAbsent(pictures[1].id)
            try await trial.expectStored(pictures[2], version: 1)
            try await trial.manager.delete(atlas.id)
            try await trial.expectAbsent(pictures[2].id)
            try await trial.expectStored(genres[2], version: 1)
            let last = Picture(trial.id(), [9])
            try await trial.manager.create(last)
            try await trial.manager.create(Atlas(trial.id(), plates: [Plate(trial.id(), picture: last.id)]))
            try expect("the deleted atlases", try await trial.manager.delete(matching: Query<Atlas>()), is: 1)
            try await trial.expectAbsent(last.id)
        }.tests("delete.2"),
        Law(.deleteRules, "An update that would delete a protected root changes nothing, also if its error is caught") {
            trial in
            let picture = Picture(trial.id(), [1])
            var book = Book(trial.id(), "Bread")
            book.cover = picture.id
            let atlas = Atlas(trial.id(), frontispiece: picture.id)
            try await trial.manager.create(picture)
            try await trial.manager.create(book)
            try await trial.manager.create(atlas)
            var changed = book
            (changed.title, changed.cover) = ("Cake", nil)
            let update = changed
            try await trial.manager.transaction { manager in
                try await refusal(of: "letting the picture go") { try await manager.update(update, expecting: 1) }
                try await manager.create(Author(trial.id(), "Ada"))
            }
            try await trial.expectStored(book, version: 1)
            try await trial.expectStored(picture, version: 1)
            try await trial.expectCount(1, of: Author.self)
            // An earlier write of the same transaction may remove the reference that refuses.
            try await trial.manager.transaction { manager in
                try await manager.update(Atlas(atlas.id), expecting: 1)
                try await manager.update(update, expecting: 1)
            }
            try await trial.expectStored(update, version: 2)
            try await trial.expectAbsent(picture.id)
        }.tests("delete.2", "error.1", "error.6"),
    ]
}
