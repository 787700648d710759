internal import LarderData
internal import LarderDomain

/// Roots that are deleted and restored in one change set, with less content than before, and versions at their limits.
extension CommitLaws {
    static let replaced: [Law] = [
        Law(.commits, "A replaced root has only its new content, however it is read") { trial in
            let scene = try await ReplacedScene(trial)
            for step in scene.steps { try await scene.replace(by: step) }
        }.tests("set.12", "set.5", "store.2", "page.1", "ids.5", "request.14"),
        Law(.commits, "What a replaced root gave up is free: owned ids, unique values and targets") { trial in
            let scene = try await ReplacedScene(trial)
            let (rich, poor) = (scene.steps[0], scene.steps[2])
            try await dangling(of: "the deletion of the owner of a magazine") {
                try await trial.store.commit(ChangeSet(deletes: [scene.owner.deletion(expecting: 1)]))
            }
            try await scene.replace(by: poor)
            // Another root takes the seal, and owns the articles and adverts that have become free.
            var heir = Press.magazine(
                trial.rawID(), "Heir", seal: [1, 2], articles: rich.children[0], adverts: rich.children[1])
            for index in heir.children[0].indices { heir.children[0][index].values[2] = .null }
            for index in heir.children[1].indices { heir.children[1][index].values[2] = .null }
            for index in heir.children[0].indices { heir.children[0][index].links[1] = [] }
            _ = try await trial.store.commit(
                ChangeSet(inserts: [heir], deletes: [scene.owner.deletion(expecting: 1)]))
            try await trial.expectStored(heir)
            try await trial.expectAbsent(scene.owner)
            for article in rich.children[0] {
                let owns = Condition.anyChild(relationship: 0, .compare(.id, .equal, .literal(.id(article.id))))
                let found = try await trial.store.read(ReadRequest(Press.magazine, where: owns)).items.map(\.id)
                try expect("the roots that own an article", found, is: [heir.id])
            }
        }.tests("set.12", "set.13", "commit.22", "commit.24"),
        Law(.commits, "A replaced root keeps nothing of its longer lists, at any depth") { trial in
            let topics = (0..<300).map { Press.topic(trial.rawID(), "Topic \($0)") }
            _ = try await trial.store.commit(ChangeSet(inserts: topics))
            let id = trial.rawID()
            let notes = (0..<300).map { Press.footnote(trial.rawID(), "\($0)", see: Array(repeating: id, count: 3)) }
            let articles = (0..<300).map { Press.article(trial.rawID(), "\($0)") }
            let adverts = (0..<300).map { Press.advert(trial.rawID(), price: Int64($0)) }
            var version: Int64 = 0
            for (count, links) in [(300, 3), (299, 2), (70, 1), (300, 3), (1, 2), (2, 0), (300, 1), (0, 0)] {
                var root = Press.magazine(
                    id, "M", articles: Array(articles.prefix(count)), adverts: Array(adverts.suffix(count)),
                    topics: topics.prefix(count).map(\.id))
                if count > 0 {
                    root.children[0][0].children[0] = notes.prefix(count).map { note in
                        var note = note
                        note.links[0] = Array(repeating: id, count: links)
                        return note
                    }
                    root.children[0][0].links[0] = topics.suffix(count).map(\.id)
                }
                var changes = ChangeSet(inserts: [root.at(version: version + 1)])
                if version > 0 { changes.deletes = [root.deletion(expecting: version)] }
                changes.keepsVersions = true
                _ = try await trial.store.commit(changes)
                version += 1
                try await trial.expectStored(root, version: version)
                let page = try await trial.store.read(ReadRequest(Press.magazine))
                try expect("the page after a replacement by lists of \(count)", page.items == [root], is: true)
            }
        }.tests("set.12", "set.20", "store.2", "page.1"),
        Law(.commits, "Given versions range from 1 to 2⁶², and each change raises them exactly") { trial in
            let topic = Press.topic(trial.rawID(), "Gone")
            try await trial.insert(topic)
            let powers = [31, 32, 53, 62].map { 1 << $0 as Int64 }
            let versions: [Int64] = [1, 2] + powers.flatMap { [$0 - 1, $0, $0 + 1] }.dropLast()
            let stream = await trial.store.changes()
            var children = versions.map { version in
                var child = Press.topic(trial.rawID(), "At \(version)", parent: topic.id)
                child.version = version
                return child
            }
            var restoring = ChangeSet(inserts: children)
            restoring.keepsVersions = true
            _ = try await trial.store.commit(restoring)
            for child in children { try await trial.expectStored(child, version: child.version) }
            let new = Press.topic(trial.rawID(), "New")
            for child in children {
                // The latter two are equal as numbers with 32 bits. Some of the former are as reals.
                for difference in [-1, 1, -1 << 32, 1 << 32] as [Int64] {
                    let other = child.version + difference
                    for changes in child.changeSets(expecting: other, inserting: new) {
                        let conflict = try await conflict(of: "expecting \(other) of \(child.version)") {
                            try await trial.store.commit(changes)
                        }
                        try expect("the expected version", conflict.expected, is: other)
                        try expect("the found version", conflict.found, is: child.version)
                    }
                }
            }
            try await trial.expectAbsent(new)
            let updates = children.map { $0.update(to: $0, expecting: $0.version) }
            _ = try await trial.store.commit(ChangeSet(updates: updates))
            for index in children.indices { children[index].version += 1 }
            try await trial.expectEveryRead(of: [topic.at(version: 1)] + children, Press.topic)
            let removal = try topic.removal(from: Press.topic, "parent_id")
            let deletion = topic.deletion(expecting: 1)
            _ = try await trial.store.commit(ChangeSet(deletes: [deletion], removals: [removal]))
            for index in children.indices {
                children[index].version += 1
                children[index].values[1] = .null
            }
            try await trial.expectEveryRead(of: children, Press.topic)
            let heard = try await trial.heard(stream).prefix(2).map { $0.entries.map(\.version) }
            try expect("the received versions", heard, is: [versions, versions.map { $0 + 1 }])
        }.tests(
            "set.4", "set.6", "set.8", "set.11", "set.15", "commit.10", "commit.18", "commit.19", "conflict.2",
            "conflict.3", "event.8"),
        Law(.commits, "Other given versions are refused, and no root has the greatest integer as its version") {
            trial in
            let (there, absent) = (Press.member(trial.rawID(), "Ada"), Press.member(trial.rawID(), "Bea"))
            try await trial.insert(there)
            for version in [.min, -1, 0, (1 << 62) + 1, .max - 1, .max] as [Int64] {
                for replaces in [false, true] {
                    let root = (replaces ? there : absent).at(version: version)
                    var restoring = ChangeSet(inserts: [root])
                    restoring.keepsVersions = true
                    if replaces { restoring.deletes = [there.deletion(expecting: 1)] }
                    let field = try await invalidField(of: "restoring at version \(version)") { [restoring] in
                        try await trial.store.commit(restoring)
                    }
                    try expect("the field", field.field, is: "version")
                    try expect("the id", field.id, is: root.id)
                }
            }
            for (root, found) in [(there, 1), (absent, nil)] as [(StorageObject, Int64?)] {
                for version in [.min, 0, .max - 1, .max] as [Int64] {
                    let new = Press.member(trial.rawID(), "New")
                    for changes in root.changeSets(expecting: version, inserting: new) {
                        let conflict = try await conflict(of: "version \(version)") {
                            try await trial.store.commit(changes)
                        }
                        try expect("the expected version", conflict.expected, is: version)
                        try expect("the found version", conflict.found, is: found)
                    }
                }
            }
            try await trial.expectEveryRead(of: [there.at(version: 1)], Press.member)
        }.tests("declared.3", "declared.6", "set.4", "set.6", "set.8", "commit.10"),
    ]
}

extension StorageObject {
    /// The object at another version.
    func at(version: Int64) -> StorageObject {
        var object = self
        object.version = version
        return object
    }

    /// Change sets that expect a version of the object: an update, a deletion, and a read next to a new root.
    fileprivate func changeSets(expecting version: Int64, inserting new: StorageObject) -> [ChangeSet] {
        [
            ChangeSet(updates: [update(to: self, expecting: version)]),
            ChangeSet(deletes: [deletion(expecting: version)]),
            ChangeSet(inserts: [new], reads: [deletion(expecting: version)]),
        ]
    }
}

/// A magazine with content in every member, and what it is replaced by: less, nothing, and all of it again.
private struct ReplacedScene {
    let trial: Trial
    let owner: StorageObject
    let steps: [StorageObject]
    private let other: StorageObject

    init(_ trial: Trial) async throws {
        self.trial = trial
        let topics = (0..<2).map { Press.topic(trial.rawID(), "Topic \($0)") }
        let owner = Press.member(trial.rawID(), "Owner")
        let editor = Press.member(trial.rawID(), "Editor")
        let other = Press.magazine(
            trial.rawID(), "Other", issue: 1, articles: [Press.article(trial.rawID(), "other")],
            adverts: [Press.advert(trial.rawID())], topics: [topics[0].id])
        let articles = (0..<3).map { number in
            Press.article(
                trial.rawID(), "\(number)", writer: owner.id, about: other.id,
                footnotes: (0..<2).map {
                    Press.footnote(trial.rawID(), "\($0)", topic: topics[$0].id, see: [other.id])
                },
                figures: [Press.figure(trial.rawID(), [UInt8(number)], subject: editor.id)], topics: topics.map(\.id),
                readers: [owner.id])
        }
        let adverts = (0..<2).map {
            Press.advert(trial.rawID(), price: Int64($0), sponsor: owner.id, topics: [topics[1].id])
        }
        var rich = Press.magazine(
            trial.rawID(), "Rich", issue: 7, owner: owner.id, previous: other.id, seal: [1, 2], articles: articles,
            adverts: adverts, topics: [topics[1].id, topics[0].id, topics[1].id], editors: [editor.id])
        rich.values[3] = .real(2.5)
        var fewer = rich
        fewer.children = [[articles[2], articles[0]], [adverts[1]]]
        fewer.children[0][0].children = [[articles[2].children[0][1]], []]
        fewer.children[0][1].links = [[topics[1].id], []]
        fewer.children[1][0].links = [[]]
        fewer.links = [[topics[0].id], []]
        (fewer.values[1], fewer.values[6]) = (.null, .blob([]))
        var empty = Press.magazine(rich.id, "")
        empty.values[2] = .integer(0)
        _ = try await trial.store.commit(ChangeSet(inserts: topics + [owner, editor, other, rich]))
        (self.owner, self.other, steps) = (owner, other, [rich, fewer, empty, rich, empty, fewer])
    }

    /// Replaces the magazine, at another version, and reads it in every way.
    func replace(by new: StorageObject) async throws {
        guard let old = try await trial.stored(new) else { throw LawBroken("\(new.reference) is not stored") }
        // Versions rise and fall.
        let version = old.version % 2 == 0 ? old.version + 9 : old.version / 2 + 2
        let replacing = new.at(version: version)
        var changes = ChangeSet(inserts: [replacing], deletes: [old.deletion(expecting: old.version)])
        changes.keepsVersions = true
        _ = try await trial.store.commit(changes)
        try await trial.expectEveryRead(of: [replacing, other.at(version: 1)], Press.magazine)
        for article in steps[0].children[0] {
            let owns = Condition.anyChild(relationship: 0, .compare(.id, .equal, .literal(.id(article.id))))
            let found = try await trial.store.read(ReadRequest(Press.magazine, where: owns)).items.map(\.id)
            let isOwned = new.children[0].contains { $0.id == article.id }
            try expect("the roots that own an article", found, is: isOwned ? [new.id] : [])
        }
    }
}
