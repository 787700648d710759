internal import LarderData
internal import LarderDomain

/// Removals from roots, and of targets, with given versions.
extension RemovalLaws {
    static let versions: [Law] = [
        Law(.deleteRules, "A reference to a replaced root remains, and a later deletion of the root is judged by it") {
            trial in
            let paths = places + [["parent_id"]]
            let topics = paths.map { Press.topic(trial.rawID(), $0.joined()) }
            let holders = zip(paths, topics).map { path, topic in
                path == ["parent_id"]
                    ? Press.topic(trial.rawID(), "Child", parent: topic.id)
                    : Press.holder(trial, of: topic.id, at: path)
            }
            _ = try await trial.store.commit(ChangeSet(inserts: topics + holders))
            var replacing = ChangeSet(
                inserts: topics.map { $0.at(version: 7) }, deletes: topics.map { $0.deletion(expecting: 1) })
            replacing.keepsVersions = true
            _ = try await trial.store.commit(replacing)
            for (path, (topic, holder)) in zip(paths, zip(topics, holders)) {
                let deletion = topic.deletion(expecting: 7)
                let found = try await dangling(of: "the deletion of a replaced root, a target of \(path)") {
                    try await trial.store.commit(ChangeSet(deletes: [deletion]))
                }
                try expect("the id", found.id, is: topic.id)
                try await trial.expectStored(topic, version: 7)
                try await trial.expectStored(holder)
                let removal = try topic.removal(from: holder.schema, path)
                _ = try await trial.store.commit(ChangeSet(deletes: [deletion], removals: [removal]))
                try await trial.expectAbsent(topic)
                try await trial.expectStored(holder.without(topic.id), version: 2)
            }
        }.tests("set.13", "commit.24", "commit.18"),
        Law(.deleteRules, "A removal does not raise the given version of a root of its change set") { trial in
            // Never stored.
            let gone = Press.topic(trial.rawID(), "Gone")
            let old = Press.magazine(trial.rawID(), "Old")
            let holders = places.enumerated().map { number, path in
                Press.holder(trial, of: gone.id, at: path).at(version: Int64(7 + number))
            }
            try await trial.insert(old)
            let replaced = Press.magazine(old.id, "New", topics: [gone.id]).at(version: 20)
            let stream = await trial.store.changes()
            var changes = ChangeSet(
                inserts: holders + [replaced], deletes: [old.deletion(expecting: 1)],
                removals: try places.map { try gone.removal(from: Press.magazine, $0) })
            changes.keepsVersions = true
            _ = try await trial.store.commit(changes)
            for root in holders + [replaced] {
                let left = root.without(gone.id)
                try await trial.expectStored(left, version: root.version)
                let update = left.update(to: left, expecting: root.version)
                _ = try await trial.store.commit(ChangeSet(updates: [update]))
            }
            let heard = try await trial.heard(stream).first?.entries ?? []
            for root in holders {
                let entry = heard.first { $0.reference == root.reference }
                try expect("the published version", entry?.version, is: root.version)
            }
        }.tests("set.10", "set.11", "commit.19", "removal.4", "event.8"),
    ]

    /// The paths to the references of magazines to topics.
    private static let places = [
        ["topics"], ["articles", "topics"], ["articles", "footnotes", "topic_id"], ["adverts", "topics"],
    ]
}
