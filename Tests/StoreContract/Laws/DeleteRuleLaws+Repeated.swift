internal import LarderData
internal import LarderDomain

/// Roots with several references to one target.
extension DeleteRuleLaws {
    static let repeated: [Law] = [
        Law(.deleteRules, "A target cannot be deleted until its holder gives up the last of several references to it") {
            trial in
            for (number, references) in SeveralReferences.all.enumerated() {
                let topic = Press.topic(trial.rawID(), "Topic \(number)")
                let member = Press.member(trial.rawID(), "Member \(number)")
                let holder = SeveralReferences.holder(trial, number)
                let target = references.isToMember ? member : topic
                var (before, version) = (holder, Int64(1))
                for place in references.places { place(&before, target.id) }
                try await trial.insert(topic, member, before)
                // The holder removes one reference at a time: the last one first, or the first one first.
                for left in (0..<references.places.count).reversed() {
                    try await dangling(of: "deleting the target of \(left + 1) references: \(references.name)") {
                        try await trial.store.commit(ChangeSet(deletes: [target.deletion(expecting: 1)]))
                    }
                    try await trial.expectStored(target)
                    var after = holder
                    let kept = references.losesLast ? references.places.prefix(left) : references.places.suffix(left)
                    for place in kept { place(&after, target.id) }
                    let update = before.update(to: after, expecting: version)
                    _ = try await trial.store.commit(ChangeSet(updates: [update]))
                    (before, version) = (after, version + 1)
                    try await trial.expectStored(after, version: version)
                }
                _ = try await trial.store.commit(ChangeSet(deletes: [target.deletion(expecting: 1)]))
                try await trial.expectAbsent(target)
            }
        }.tests("commit.24"),
        Law(.deleteRules, "Each id in a list of links keeps its target from being deleted") { trial in
            let topics = (0..<9).map { Press.topic(trial.rawID(), "Topic \($0)") }
            let ids = topics.map(\.id)
            let members = (0..<3).map { Press.member(trial.rawID(), "Member \($0)") }
            let others = (0..<3).map { Press.magazine(trial.rawID(), "Other \($0)") }
            let footnote = Press.footnote(trial.rawID(), "a", see: others.map(\.id))
            let article = Press.article(
                trial.rawID(), "b", footnotes: [footnote], topics: Array(ids[0..<3]), readers: members.map(\.id))
            let advert = Press.advert(trial.rawID(), topics: Array(ids[3..<6]))
            let holder = Press.magazine(
                trial.rawID(), "Holder", articles: [article], adverts: [advert], topics: Array(ids[6..<9]))
            _ = try await trial.store.commit(ChangeSet(inserts: topics + members + others + [holder]))
            for version in 1...2 as ClosedRange<Int64> {
                for target in topics + members + others {
                    let found = try await dangling(of: "deleting \(target.reference) from version \(version)") {
                        try await trial.store.commit(ChangeSet(deletes: [target.deletion(expecting: 1)]))
                    }
                    try expect("the id that dangles", found.id, is: target.id)
                }
                // The lists are the same, in different places.
                var moved = holder
                moved.children[0][0].links = moved.children[0][0].links.map { $0.reversed() }
                moved.children[0][0].children[0][0].links[0].reverse()
                moved.children[1][0].links[0].reverse()
                moved.links[0].reverse()
                let (old, new) = version == 1 ? (holder, moved) : (moved, holder)
                _ = try await trial.store.commit(ChangeSet(updates: [old.update(to: new, expecting: version)]))
            }
        }.tests("commit.24", "dangling.3"),
        Law(.deleteRules, "Of hundreds of roots that are deleted together, none may be referred to") { trial in
            let topics = (0..<320).map { Press.topic(trial.rawID(), "Topic \($0)") }
            let holder = SeveralReferences.holder(trial, 0)
            _ = try await trial.store.commit(ChangeSet(inserts: topics + [holder]))
            var deletes = topics.map { $0.deletion(expecting: 1) }
            var (before, version) = (holder, Int64(1))
            for place in [0, 160, 319] {
                var after = holder
                after.children[0][1].links[0] = [topics[place].id]
                _ = try await trial.store.commit(ChangeSet(updates: [before.update(to: after, expecting: version)]))
                (before, version) = (after, version + 1)
                for _ in 0..<2 {
                    let found = try await dangling(of: "deleting hundreds of roots, root \(place) is referred to") {
                        try await trial.store.commit(ChangeSet(deletes: deletes))
                    }
                    try expect("the id that dangles", found.id, is: topics[place].id)
                    try await trial.expectCount(320, of: Press.topic)
                    deletes.reverse()
                }
            }
            deletes.append(holder.deletion(expecting: version))
            _ = try await trial.store.commit(ChangeSet(deletes: deletes))
            try await trial.expectCount(0, of: Press.topic)
        }.tests("commit.1", "commit.24", "dangling.3"),
    ]
}

/// Ways in which one root can refer to one target several times.
private struct SeveralReferences: Sendable {
    typealias Place = @Sendable (inout StorageObject, RawID) -> Void

    let name: String
    let isToMember: Bool
    let losesLast: Bool
    /// Each adds one reference.
    let places: [Place]

    static let all: [SeveralReferences] = [false, true].flatMap { losesLast in
        [
            SeveralReferences(
                name: "one list of links", isToMember: false, losesLast: losesLast, places: [link, link, link]),
            SeveralReferences(
                name: "a column and a list of links", isToMember: true, losesLast: losesLast, places: [owner, editor]),
            SeveralReferences(
                name: "a column and that of an owned object", isToMember: true, losesLast: losesLast,
                places: [owner, writer]),
            SeveralReferences(
                name: "two owned objects", isToMember: false, losesLast: losesLast,
                places: [articleLink(0), articleLink(1)]),
            SeveralReferences(
                name: "a nested owned object, its owner, and the root", isToMember: false, losesLast: losesLast,
                places: [footnote, articleLink(0), link]),
        ]
    }

    private static let link: Place = { object, id in object.links[0].append(id) }
    private static let editor: Place = { object, id in object.links[1].append(id) }
    private static let owner: Place = { object, id in object.values[4] = .id(id) }
    private static let writer: Place = { object, id in object.children[0][0].values[2] = .id(id) }
    private static let footnote: Place = { object, id in
        object.children[0][0].children[0][0].values[1] = .id(id)
    }
    private static func articleLink(_ article: Int) -> Place {
        { object, id in object.children[0][article].links[0].append(id) }
    }

    /// A magazine without references.
    static func holder(_ trial: Trial, _ number: Int) -> StorageObject {
        let footnote = Press.footnote(trial.rawID(), "note")
        let articles = [
            Press.article(trial.rawID(), "first", footnotes: [footnote]), Press.article(trial.rawID(), "second"),
        ]
        return Press.magazine(trial.rawID(), "Magazine \(number)", articles: articles)
    }
}
