internal import LarderData
internal import LarderDomain

/// The checks of roots apply to every list at every depth, for all forms of a change set.
extension CommitLaws {
    static let owned: [Law] = [
        Law(.commits, "An id of an owned object is unique across lists, depths and roots") { trial in
            let scene = try await OwnedScene(trial)
            for schema in ["article", "advert", "footnote", "figure"] {
                for object in scene.everywhere(schema, id: scene.taken(schema)) {
                    try await scene.expectTaken(scene.taken(schema), schema, ChangeSet(inserts: [object]))
                    let update = scene.other.update(to: object.as(scene.other), expecting: 1)
                    try await scene.expectTaken(scene.taken(schema), schema, ChangeSet(updates: [update]))
                }
                // Twice in one root, and in two new roots.
                let id = trial.rawID()
                for twin in scene.everywhere(schema, id: id) {
                    try await scene.expectTaken(
                        id, schema, ChangeSet(inserts: [twin, scene.everywhere(schema, id: id)[0]]))
                    var both = twin
                    for list in both.children.indices { both.children[list] += both.children[list] }
                    let error = try await duplicate(of: "an id twice") {
                        try await trial.store.commit(ChangeSet(inserts: [both]))
                    }
                    try expect("the columns", error.columns, is: ["id"])
                }
            }
            try await trial.expectStored(scene.holder, scene.other)
        }.tests("commit.13", "duplicate.1", "duplicate.2", "duplicate.3"),
        Law(.commits, "An id of an owned object is unique below all parents of one root") { trial in
            let id = trial.rawID()
            for (schema, lists) in [
                ("footnote", [[Press.footnote(id, "")], []]), ("figure", [[], [Press.figure(id)]]),
            ] {
                var (empty, full) = (Press.article(trial.rawID(), "a"), Press.article(trial.rawID(), "b"))
                full.children = lists
                let one = Press.magazine(trial.rawID(), "M", articles: [empty, full])
                empty.children = lists
                let both = Press.magazine(one.id, "M", articles: [empty, full])
                func expectTaken(_ changes: ChangeSet) async throws {
                    let found = try await duplicate(of: "an id of \(schema) below two articles") {
                        try await trial.store.commit(changes)
                    }
                    try expect("the duplicate", found, is: Duplicate(entity: schema, columns: ["id"], existing: id))
                }
                try await expectTaken(ChangeSet(inserts: [both]))
                try await trial.expectAbsent(both)
                var none = both
                none.children[0] = []
                for old in [one, none] {
                    try await trial.insert(old)
                    try await expectTaken(ChangeSet(updates: [old.update(to: both, expecting: 1)]))
                    try await trial.expectStored(old)
                    _ = try await trial.store.commit(ChangeSet(deletes: [old.deletion(expecting: 1)]))
                }
            }
        }.tests("commit.13", "duplicate.1", "duplicate.2", "duplicate.3"),
        Law(.commits, "References and links of owned objects are judged in every list, at every depth") { trial in
            let scene = try await OwnedScene(trial)
            for (target, id) in [(Press.member, scene.member.id), (Press.topic, scene.topic.id)] {
                for object in scene.referring(to: EntityKey(target, id)) {
                    let loose = object.replacing(id, with: trial.rawID())
                    for changes in [
                        ChangeSet(inserts: [loose]),
                        ChangeSet(updates: [scene.other.update(to: loose.as(scene.other), expecting: 1)]),
                        // References to objects that the same change set deletes.
                        ChangeSet(inserts: [object], deletes: [RootExpectation(EntityKey(target, id), version: 1)]),
                        ChangeSet(
                            updates: [scene.other.update(to: object.as(scene.other), expecting: 1)],
                            deletes: [RootExpectation(EntityKey(target, id), version: 1)]),
                    ] {
                        try await dangling(of: "a reference in \(object.children)") {
                            try await trial.store.commit(changes)
                        }
                    }
                    // References from a stored root that is not in the change set.
                    _ = try await trial.insert(object)
                    let deletion = RootExpectation(EntityKey(target, id), version: 1)
                    let found = try await dangling(of: "the deletion of a referenced root") {
                        try await trial.store.commit(ChangeSet(deletes: [deletion]))
                    }
                    try expect("the id", found.id, is: id)
                    _ = try await trial.store.commit(ChangeSet(deletes: [object.deletion(expecting: 1)]))
                }
            }
            try await trial.expectStored(scene.member, scene.topic, scene.other)
        }.tests("commit.15", "commit.24", "dangling.3"),
        Law(.uniqueness, "Columns that are unique together are judged whichever of them changes") { trial in
            let holder = Press.magazine(trial.rawID(), "M", issue: 1, year: 2000, seal: [1])
            let other = Press.magazine(trial.rawID(), "N", issue: 2, year: 2001)
            try await trial.insert(holder, other)
            // All columns of the group except one take the holder's values, then the remaining one does.
            let takes: [(columns: [String], [Int])] = [
                (["title", "issue"], [0, 1]), (["issue", "year"], [1, 2]), (["seal"], [6]),
            ]
            for (columns, group) in takes {
                for last in group {
                    var near = other
                    for column in group where column != last { near.values[column] = holder.values[column] }
                    var twin = near
                    twin.values[last] = holder.values[last]
                    let stored = Press.magazine(trial.rawID(), "", year: 1999).with(near.values, only: group)
                    try await trial.insert(stored)
                    let update = stored.update(to: stored.with(twin.values, only: group), expecting: 1)
                    let found = try await duplicate(of: "taking \(columns) by \(last)") {
                        try await trial.store.commit(ChangeSet(updates: [update]))
                    }
                    try expect(
                        "the duplicate", found, is: Duplicate(entity: "magazine", columns: columns, existing: holder.id)
                    )
                    // The holder changes only that column.
                    var gone = holder
                    gone.values[last] = last == 0 ? .text("given up") : last == 6 ? .null : .integer(77)
                    _ = try await trial.store.commit(
                        ChangeSet(updates: [
                            holder.update(to: gone, expecting: try await trial.version(holder)), update,
                        ]))
                    _ = try await trial.store.commit(
                        ChangeSet(
                            updates: [gone.update(to: holder, expecting: try await trial.version(holder))],
                            deletes: [stored.deletion(expecting: 2)]))
                }
            }
        }.tests("commit.14", "commit.22", "duplicate.2", "duplicate.3"),
    ]
}

/// A magazine with an object in every list, and a magazine without any.
private struct OwnedScene {
    let member, topic, holder, other: StorageObject
    private let trial: Trial
    private let ids: [String: RawID]

    init(_ trial: Trial) async throws {
        self.trial = trial
        var ids: [String: RawID] = [:]
        for schema in ["article", "advert", "footnote", "figure"] { ids[schema] = trial.rawID() }
        self.ids = ids
        member = Press.member(trial.rawID(), "Ada")
        topic = Press.topic(trial.rawID(), "maps")
        func id(_ schema: String) -> RawID { ids[schema] ?? RawID(high: 0, low: 0) }
        let article = Press.article(
            id("article"), "a", footnotes: [Press.footnote(id("footnote"), "f")], figures: [Press.figure(id("figure"))])
        holder = Press.magazine(trial.rawID(), "Holder", articles: [article], adverts: [Press.advert(id("advert"))])
        other = Press.magazine(trial.rawID(), "Other")
        try await trial.insert(member, topic, holder, other)
    }

    func taken(_ schema: String) -> RawID { ids[schema] ?? RawID(high: 0, low: 0) }

    /// New magazines with an owned object of a schema.
    func everywhere(_ schema: String, id: RawID) -> [StorageObject] {
        let new = trial.rawID()
        return switch schema {
        case "article": [Press.magazine(new, "New", articles: [Press.article(id, "")])]
        case "advert": [Press.magazine(new, "New", adverts: [Press.advert(id)])]
        case "footnote":
            [
                Press.magazine(
                    new, "New", articles: [Press.article(trial.rawID(), "", footnotes: [Press.footnote(id, "")])])
            ]
        default: [Press.magazine(new, "New", articles: [Press.article(trial.rawID(), "", figures: [Press.figure(id)])])]
        }
    }

    /// New magazines that refer to a member or a topic, each in a different place.
    func referring(to target: EntityKey) -> [StorageObject] {
        let (id, owned) = (target.id, trial.rawID())
        func nested(_ footnotes: [StorageObject], _ figures: [StorageObject]) -> StorageObject {
            Press.article(owned, "", footnotes: footnotes, figures: figures)
        }
        let isMember = target.schema.name == "member"
        let articles: [StorageObject] =
            isMember
            ? [
                Press.article(owned, "", writer: id), Press.article(owned, "", readers: [id]),
                nested([], [Press.figure(trial.rawID(), subject: id)]),
            ] : [Press.article(owned, "", topics: [id]), nested([Press.footnote(trial.rawID(), "", topic: id)], [])]
        let advert = Press.advert(owned, sponsor: isMember ? id : nil, topics: isMember ? [] : [id])
        return articles.map { Press.magazine(trial.rawID(), "New", articles: [$0]) }
            + [Press.magazine(trial.rawID(), "New", adverts: [advert])]
    }

    func expectTaken(_ id: RawID, _ schema: String, _ changes: ChangeSet) async throws {
        let found = try await duplicate(of: "an id of \(schema)") { try await trial.store.commit(changes) }
        try expect("the duplicate", found, is: Duplicate(entity: schema, columns: ["id"], existing: id))
    }
}

extension Trial {
    fileprivate func version(_ object: StorageObject) async throws -> Int64 { try await stored(object)?.version ?? 0 }
}

extension StorageObject {
    /// Another root with the same members.
    fileprivate func `as`(_ other: StorageObject) -> StorageObject {
        StorageObject(schema: schema, id: other.id, values: other.values, children: children, links: links)
    }

    /// The object with different values in some columns.
    fileprivate func with(_ values: [Value], only columns: [Int]) -> StorageObject {
        var object = self
        for column in columns { object.values[column] = values[column] }
        return object
    }

    /// The object with another id in all its references, at any depth.
    fileprivate func replacing(_ id: RawID, with other: RawID) -> StorageObject {
        var object = self
        object.values = values.map { $0 == .id(id) ? .id(other) : $0 }
        object.links = links.map { $0.map { $0 == id ? other : $0 } }
        object.children = children.map { $0.map { $0.replacing(id, with: other) } }
        return object
    }
}
