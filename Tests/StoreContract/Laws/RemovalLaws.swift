internal import LarderData
internal import LarderDomain

/// Entries of a change set that remove a reference from all roots that contain it.
enum RemovalLaws {
    static let all: [Law] = [
        Law(.deleteRules, "A removal takes each link to a target out of its list, and the others keep their order") {
            trial in
            let topics = (0..<5).map { Press.topic(trial.rawID(), "Topic \($0)") }
            let (gone, a, b, c) = (topics[0].id, topics[1].id, topics[2].id, topics[3].id)
            let lists = [
                [a, gone, b, gone, c], [gone], [gone, gone], [b, gone], [gone, a], [c, b, a], [], [a, a, gone, a],
            ]
            let holders = lists.enumerated().map { Press.magazine(trial.rawID(), "M\($0)", topics: $1) }
            _ = try await trial.store.commit(ChangeSet(inserts: topics + holders))
            let removal = try topics[0].removal(from: Press.magazine, "topics")
            // With a target that remains, and with a target that is deleted.
            _ = try await trial.store.commit(ChangeSet(removals: [removal]))
            for holder in holders {
                let new = holder.without(gone)
                try await trial.expectStored(new, version: new == holder ? 1 : 2)
                // Links are appended after the last one.
                var longer = new
                longer.links[0] += [gone, a]
                let version: Int64 = new == holder ? 1 : 2
                _ = try await trial.store.commit(ChangeSet(updates: [new.update(to: longer, expecting: version)]))
            }
            let deletion = topics[0].deletion(expecting: 1)
            _ = try await trial.store.commit(ChangeSet(deletes: [deletion], removals: [removal]))
            for holder in holders {
                var last = holder.without(gone)
                last.links[0].append(a)
                try await trial.expectStored(last, version: holder.without(gone) == holder ? 3 : 4)
            }
            try await trial.expectAbsent(topics[0])
        }.tests("commit.18", "removal.2", "set.9", "set.19"),
        Law(.deleteRules, "A removal sets each column with a target to null, and no other column") { trial in
            let (gone, kept) = (Press.topic(trial.rawID(), "Gone"), Press.topic(trial.rawID(), "Kept"))
            let heirs = (0..<3).map { Press.topic(trial.rawID(), "Heir \($0)", parent: $0 == 1 ? kept.id : gone.id) }
            _ = try await trial.store.commit(ChangeSet(inserts: [gone, kept] + heirs))
            let removal = try gone.removal(from: Press.topic, "parent_id")
            let deletion = gone.deletion(expecting: 1)
            _ = try await trial.store.commit(ChangeSet(deletes: [deletion], removals: [removal]))
            try await trial.expectStored(heirs[0].without(gone.id), heirs[2].without(gone.id), version: 2)
            try await trial.expectStored(heirs[1], kept)
            try await trial.expectAbsent(gone)
        }.tests("removal.1"),
        Law(.deleteRules, "A removal affects owned objects at every depth, and raises the versions of their roots") {
            trial in
            let topic = Press.topic(trial.rawID(), "Gone")
            let paths = [
                ["topics"], ["articles", "topics"], ["articles", "footnotes", "topic_id"], ["adverts", "topics"],
            ]
            let holders = paths.map { Press.holder(trial, of: topic.id, at: $0) }
            let untouched = Press.magazine(trial.rawID(), "Other")
            _ = try await trial.store.commit(ChangeSet(inserts: [topic, untouched] + holders))
            for (path, holder) in zip(paths, holders) {
                let removal = try topic.removal(from: Press.magazine, path)
                _ = try await trial.store.commit(ChangeSet(removals: [removal]))
                try await trial.expectStored(holder.without(topic.id), version: 2)
            }
            _ = try await trial.store.commit(ChangeSet(deletes: [topic.deletion(expecting: 1)]))
            for holder in holders { try await trial.expectStored(holder.without(topic.id), version: 2) }
            try await trial.expectStored(untouched)
        }.tests("commit.18", "removal.3"),
        Law(.deleteRules, "A root rises by one version, however many removals and updates of a change set affect it") {
            trial in
            let (one, other) = (Press.topic(trial.rawID(), "One"), Press.topic(trial.rawID(), "Other"))
            let article = Press.article(trial.rawID(), "a", topics: [one.id])
            let holder = Press.magazine(trial.rawID(), "M", articles: [article], topics: [one.id, other.id, one.id])
            let updated = Press.magazine(trial.rawID(), "N", topics: [other.id])
            let read = Press.magazine(trial.rawID(), "O", topics: [other.id])
            let deleted = Press.magazine(trial.rawID(), "P", topics: [other.id])
            let new = Press.magazine(trial.rawID(), "Q", topics: [one.id, other.id])
            _ = try await trial.store.commit(ChangeSet(inserts: [one, other, holder, updated, read, deleted]))
            var changed = updated
            changed.links[0] = [one.id, other.id, other.id]
            let changes = ChangeSet(
                inserts: [new], updates: [updated.update(to: changed, expecting: 1)],
                deletes: [one, other, deleted].map { $0.deletion(expecting: 1) },
                reads: [RootExpectation(read.key, version: 1)],
                removals: [
                    try one.removal(from: Press.magazine, "topics"), try other.removal(from: Press.magazine, "topics"),
                    try one.removal(from: Press.magazine, "articles", "topics"),
                ])
            _ = try await trial.store.commit(changes)
            let all = [holder, changed, read].map { $0.without(one.id).without(other.id) }
            try await trial.expectStored(all[0], all[1], all[2], version: 2)
            try await trial.expectStored(new.without(one.id).without(other.id))
            try await trial.expectAbsent(one, other, deleted)
        }.tests("commit.16", "commit.17", "commit.18", "set.9", "set.10"),
        Law(.deleteRules, "Unique values are judged after the removals") { trial in
            let member = Press.member(trial.rawID(), "Gone")
            let (old, new) = (Press.seat(trial, holder: member.id), Press.seat(trial, holder: member.id))
            _ = try await trial.store.commit(ChangeSet(inserts: [member, old]))
            try await duplicate(of: "a second seat of one holder") { try await trial.insert(new) }
            let removal = try member.removal(from: Press.seat, "holder_id")
            let deletion = member.deletion(expecting: 1)
            _ = try await trial.store.commit(ChangeSet(inserts: [new], deletes: [deletion], removals: [removal]))
            try await trial.expectStored(old.without(member.id), version: 2)
            try await trial.expectStored(new.without(member.id))
        }.tests("commit.17", "commit.26", "set.9"),
        Law(.deleteRules, "A removal of a change set that is refused removes nothing") { trial in
            let (gone, other) = (Press.topic(trial.rawID(), "Gone"), Press.topic(trial.rawID(), "Other"))
            let article = Press.article(trial.rawID(), "a", topics: [gone.id])
            let holder = Press.magazine(trial.rawID(), "M", articles: [article], topics: [other.id, gone.id])
            _ = try await trial.store.commit(ChangeSet(inserts: [gone, other, holder]))
            let removal = try gone.removal(from: Press.magazine, "topics")
            var changes = ChangeSet(deletes: [gone.deletion(expecting: 1)], removals: [removal])
            let found = try await dangling(of: "the deletion of a target of an owned object") {
                try await trial.store.commit(changes)
            }
            try expect("the reference", found, is: Dangling(entity: "article", column: "topics", id: gone.id))
            changes.deletes = []
            changes.inserts = [Press.topic(trial.rawID(), "Other")]
            try await duplicate(of: "a name that is taken") { try await trial.store.commit(changes) }
            changes.inserts = [Press.magazine(trial.rawID(), "N", topics: [gone.id, trial.rawID()])]
            try await dangling(of: "a link to nothing") { try await trial.store.commit(changes) }
            changes.inserts = []
            changes.reads = [RootExpectation(holder.key, version: 2)]
            try await conflict(of: "a stale read") { try await trial.store.commit(changes) }
            try await trial.expectStored(gone, other, holder)
        }.tests("commit.15", "commit.30", "dangling.1", "dangling.2", "dangling.3"),
        Law(.deleteRules, "A removal from an undeclared column, or one that cannot be null, is refused") { trial in
            let book = try Book(trial.id(), "Bread").object
            try await trial.insert(book)
            let (known, unknown) = Undeclared.references()
            let error = try await failure(of: "removing a book from its reviews") {
                let review = ReviewMapper.mapping.schema
                return try await trial.store.commit(ChangeSet(removals: [try book.removal(from: review, "book_id")]))
            }
            guard case .invalid(let field) = error, field.field == "book_id" else {
                throw LawBroken("unexpected error: \(error)")
            }
            let undeclared = try await failure(of: "removing from a column that is not declared") {
                try await trial.store.commit(ChangeSet(removals: [ReferenceRemoval(of: book.id, from: known)]))
            }
            guard case .invalid = undeclared else { throw LawBroken("unexpected error: \(undeclared)") }
            let stranger = try await failure(of: "removing from an unknown root") {
                try await trial.store.commit(ChangeSet(removals: [ReferenceRemoval(of: book.id, from: unknown)]))
            }
            guard case .unknownEntity("stranger") = stranger else { throw LawBroken("unexpected error: \(stranger)") }
        }.tests("declared.2", "declared.4", "declared.5", "invalid.3"),
        Law(.changes, "A removal is published as one entry, which names no affected root") { trial in
            let topic = Press.topic(trial.rawID(), "Gone")
            let holders = (0..<20).map { Press.magazine(trial.rawID(), "M\($0)", topics: [topic.id]) }
            _ = try await trial.store.commit(ChangeSet(inserts: [topic] + holders))
            let stream = await trial.store.changes()
            let removal = try topic.removal(from: Press.magazine, "topics")
            let deletion = topic.deletion(expecting: 1)
            _ = try await trial.store.commit(ChangeSet(deletes: [deletion], removals: [removal]))
            let heard = try await trial.heard(stream)
            try expect("the removals", heard.map(\.removals), is: [[removal.removedReference]])
            let entry = CommittedChange(topic.reference, kind: .deleted, version: 1)
            try expect("the entries", heard.map(\.entries), is: [[entry]])
        }.tests("changes.3", "event.6", "event.10"),
        Law(.storeLife, "The effects of a removal are the same after the store was reopened", needs: [.durable]) {
            trial in
            let topic = Press.topic(trial.rawID(), "Gone")
            let holders = (0..<3).map { Press.holder(trial, of: topic.id, at: ["articles", "topics"], name: "M\($0)") }
            _ = try await trial.store.commit(ChangeSet(inserts: [topic] + holders))
            let removal = try topic.removal(from: Press.magazine, "articles", "topics")
            let deletion = topic.deletion(expecting: 1)
            _ = try await trial.store.commit(ChangeSet(deletes: [deletion], removals: [removal]))
            try await trial.reopened { trial in
                try await trial.expectAbsent(topic)
                for holder in holders {
                    try await trial.expectStored(holder.without(topic.id), version: 2)
                    let update = holder.without(topic.id).update(to: holder.without(topic.id), expecting: 2)
                    _ = try await trial.store.commit(ChangeSet(updates: [update]))
                }
            }
        }.tests("commit.5", "removal.3"),
        Law(.deleteRules, "Deleting a target reads a bounded number of the aggregates that refer to it") { trial in
            let count = trial.fixture.size.of(quick: 2_000, ci: 100_000, prove: 100_000)
            let genres = (0..<2).map { Genre(trial.id(), "Genre \($0)") }
            for genre in genres { try await trial.manager.create(genre) }
            let ids = trial.ids(count, Book.self)
            for start in stride(from: 0, to: count, by: 10_000) {
                var inserts: [StorageObject] = []
                for number in start..<min(count, start + 10_000) {
                    var book = Book(ids[number], "Book \(number)")
                    book.genres = number.isMultiple(of: 2) ? genres.map(\.id) : [genres[0].id]
                    inserts.append(try book.object)
                }
                _ = try await trial.store.commit(ChangeSet(inserts: inserts))
            }
            let store = LendingStore(trial.store)
            try await Library.manager(over: store).delete(genres[0].id)
            try expect(store.lent <= 10, "\(store.lent) aggregates were read to delete what \(count) refer to")
            let changes = store.commits.filter { !$0.isEmpty }
            try expect("the number of change sets", changes.count, is: 1)
            try expect("the removed references", changes[0].removals.map(\.reference.names), is: [["genres"]])
            try expect("the updates", changes[0].updates.count, is: 0)
            let left = try await trial.store.read(ReadRequest(BookMapper.mapping.schema)).items
            try expect("the number of remaining books", left.count, is: count)
            for (number, book) in left.enumerated() {
                let expected = number.isMultiple(of: 2) ? [genres[1].id.rawValue] : []
                try expect("the genres of book \(number)", book.links[0], is: expected)
                try expect("the version of book \(number)", book.version, is: 2)
            }
        }.tests("delete.2", "delete.9", "removal.2", "removal.3", "set.10"),
    ]
}

extension StorageObject {
    /// The removal of this object from a reference, identified by the path of lists that contains the reference.
    func removal(from root: EntitySchema, _ names: String...) throws -> ReferenceRemoval {
        try removal(from: root, names)
    }

    func removal(from root: EntitySchema, _ names: [String]) throws -> ReferenceRemoval {
        guard let reference = root.references.first(where: { $0.names == names }) else {
            throw LawBroken("\(root.name) has no \(names)")
        }
        return ReferenceRemoval(of: id, from: reference)
    }

    /// The object without references to a target, at any depth.
    func without(_ target: RawID) -> StorageObject {
        var object = self
        object.values = values.map { $0 == .id(target) ? .null : $0 }
        object.links = links.map { $0.filter { $0 != target } }
        object.children = children.map { $0.map { $0.without(target) } }
        return object
    }
}

extension Press {
    fileprivate static func seat(_ trial: Trial, holder: RawID) -> StorageObject {
        let id = trial.rawID()
        return StorageObject(
            schema: seat, id: id,
            values: [.text("\(id)"), .text("\(id)"), .id(holder), .null, .null, .null, .integer(1)])
    }

    /// A magazine that refers to a topic in one place and has no other references.
    static func holder(
        _ trial: Trial, of topic: RawID, at names: [String], name: String? = nil
    ) -> StorageObject {
        let name = name ?? names.joined()
        let (note, isOwned) = (names.contains("footnotes"), names.count > 1)
        let footnotes = [
            Press.footnote(trial.rawID(), "f"), Press.footnote(trial.rawID(), "g", topic: note ? topic : nil),
        ]
        let isInArticle = names == ["articles", "topics"]
        let article = Press.article(
            trial.rawID(), "a", footnotes: footnotes, topics: isInArticle ? [topic, topic] : [])
        let advert = Press.advert(trial.rawID(), topics: names.first == "adverts" ? [topic] : [])
        return Press.magazine(
            trial.rawID(), name, articles: [Press.article(trial.rawID(), "b"), article], adverts: [advert],
            topics: isOwned ? [] : [topic])
    }
}
