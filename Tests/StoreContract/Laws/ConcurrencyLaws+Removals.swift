internal import LarderData
internal import LarderDomain

/// Readers while references to a target are removed from many roots at once.
extension ConcurrencyLaws {
    static let removals: [Law] = [
        Law(.concurrency, "Readers see a removal from all of many roots or from none, however they read") { trial in
            let scene = try await RemovalScene(trial, count: 1_200)
            for _ in 0..<2 {
                try await scene.readAll(during: scene.removal)
                try await scene.refer()
            }
        }.tests("removal.3", "commit.1", "commit.2", "counts.3", "ids.5"),
        Law(.concurrency, "Readers see a removal together with the other changes of its change set") { trial in
            let scene = try await RemovalScene(trial, count: 600)
            let marker = Press.member(trial.rawID(), "Removed")
            var changes = scene.removal
            changes.inserts = [marker]
            changes.deletes = [scene.target.deletion(expecting: 1)]
            let (store, target) = (trial.store, scene.target)
            let look: @Sendable () async throws -> Void = {
                // Of two reads, the second one includes what the first one has found.
                let isMarked = try await store.read(marker.id, of: Press.member) != nil
                let left = try await scene.referring()
                if isMarked { try expect("the references to the target after the commit", left, is: 0) }
                if try await store.read(target.id, of: Press.topic) == nil {
                    try expect("the references to a deleted target", try await scene.referring(), is: 0)
                }
                if left == 0 {
                    let isMarked = try await store.read(marker.id, of: Press.member) != nil
                    try expect(isMarked, "a removal is visible before the insert of its change set")
                }
            }
            try await scene.read(during: changes, [look, { try await scene.expectWhole(deleting: target) }])
        }.tests("commit.1", "commit.2", "commit.17", "ids.5", "set.9"),
    ]
}

/// Roots that refer to one target, by a column or by a link.
private struct RemovalScene: Sendable {
    let target: StorageObject
    /// The removal from all columns and lists of links.
    let removal: ChangeSet
    private let trial: Trial
    private let topics: [StorageObject]
    private let magazines: [StorageObject]
    private let refersByColumn: Condition
    private let refersByLink: Condition

    /// - Parameter count: The number of topics that refer by a column; a sixth as many magazines refer by a link.
    init(_ trial: Trial, count: Int) async throws {
        self.trial = trial
        let target = Press.topic(trial.rawID(), "Target")
        self.target = target
        topics = (0..<count).map { Press.topic(trial.rawID(), "Topic \($0)", parent: target.id) }
        magazines = (0..<count / 6).map { Press.magazine(trial.rawID(), "M \($0)", topics: [target.id]) }
        refersByColumn = .compare(.column(1), .equal, .literal(.id(target.id)))
        refersByLink = .links(relationship: 0, id: target.id)
        removal = ChangeSet(removals: [
            try target.removal(from: Press.topic, "parent_id"), try target.removal(from: Press.magazine, "topics"),
        ])
        _ = try await trial.store.commit(ChangeSet(inserts: [target] + topics + magazines))
    }

    /// Makes all roots refer to the target again.
    func refer() async throws {
        var updates: [RootUpdate] = []
        for (schema, roots) in [(Press.topic, topics), (Press.magazine, magazines)] {
            let versions = try await trial.store.read(ReadRequest(schema)).items.map { ($0.id, $0) }
            let found = Dictionary(uniqueKeysWithValues: versions)
            for root in roots {
                guard let old = found[root.id] else { throw LawBroken("\(root.reference) is missing") }
                updates.append(old.update(to: root, expecting: old.version))
            }
        }
        _ = try await trial.store.commit(ChangeSet(updates: updates))
    }

    /// The number of roots that refer to the target by a column.
    func referring() async throws -> Int {
        let all = ReadRequest(Press.topic, where: refersByColumn, limit: 1, includesTotal: true)
        return try await trial.store.read(all).total ?? -1
    }

    /// Commits, while each kind of read is repeated and must see all references or none.
    func readAll(during changes: ChangeSet) async throws {
        let (store, scene, target) = (trial.store, self, target)
        let looks: [@Sendable () async throws -> Void] = [
            {
                let request = ReadRequest(Press.topic, where: scene.refersByColumn, includesTotal: true)
                let page = try await store.read(request)
                try scene.expectWhole(page.items.count, of: scene.topics, "a page")
                try expect("the total", page.total, is: page.items.count)
            },
            {
                for roots in [scene.topics, scene.magazines] {
                    let found = try await store.read(roots.map(\.id), of: roots[0].schema)
                    try scene.expectWhole(found, of: roots, "a read by ids")
                }
            },
            {
                for (roots, key) in [(scene.topics, .column(1)), (scene.magazines, .link(0))]
                    as [([StorageObject], CountRequest.Key)]
                {
                    let request = CountRequest(roots[0].schema, where: .always(true), by: key)
                    let count = try await store.counts(request)[.id(target.id)] ?? 0
                    try scene.expectWhole(count, of: roots, "an answer with counts")
                }
            },
            {
                let all = try await store.read(ReadRequest(Press.magazine)).items
                try scene.expectWhole(all, of: scene.magazines, "a page of lists")
                let request = ReadRequest(
                    Press.magazine, where: scene.refersByLink, limit: 1, includesTotal: true, content: .versions)
                let total = try await store.withRows(request) { (_) throws(PersistencyError) in }.total
                try scene.expectWhole(total ?? -1, of: scene.magazines, "the total of a condition on links")
            },
        ]
        try await read(during: changes, looks)
        try expect("the remaining references", try await referring(), is: 0)
    }

    /// Fails the law unless one read by ids has the target with all references of topics, or neither, and unless later
    /// reads by ids have no reference to a target that was missing.
    func expectWhole(deleting target: StorageObject) async throws {
        var found = try await trial.store.read(([target] + topics).map(\.id), of: Press.topic)
        let count = found.count
        found.removeAll { $0.id == target.id }
        let (isThere, referring) = (found.count < count, found.count { $0.values[1] == .id(target.id) })
        try expectWhole(found, of: topics, "a read by ids with the target")
        try expect("the references in a read by ids, by the target", referring > 0, is: isThere)
        if isThere { return }
        let left = try await trial.store.read(magazines.map(\.id), of: Press.magazine)
        try expect("the references by links to a deleted target", left.count { $0.links != [[], []] }, is: 0)
    }

    private func expectWhole(_ found: Int, of roots: [StorageObject], _ what: String) throws {
        try expect(found == 0 || found == roots.count, "\(what) has \(found) of \(roots.count) references")
    }

    private func expectWhole(_ found: [StorageObject], of roots: [StorageObject], _ what: String) throws {
        try expect("the number of roots in \(what)", found.count, is: roots.count)
        try expect("the number of versions in \(what)", Set(found.map(\.version)).count, is: 1)
        let referring = found.count { $0.values.contains(.id(target.id)) || $0.links.joined().contains(target.id) }
        try expectWhole(referring, of: roots, what)
    }

    /// Commits, while readers repeat their reads: before, during and after the commit.
    func read(during changes: ChangeSet, _ looks: [@Sendable () async throws -> Void]) async throws {
        let isDone = Flag()
        // All readers have begun before the commit, so that some reads are made during it.
        let begun = (0..<looks.count).map { _ in Flag() }
        let (store, sent) = (trial.store, ChangeSet(copying: changes))
        try await withThrowingTaskGroup { group in
            for (look, begun) in zip(looks, begun) {
                group.addTask {
                    defer { begun.set() }
                    while !isDone.isSet, !Task.isCancelled {
                        try await look()
                        begun.set()
                        await Task.yield()
                    }
                    if !Task.isCancelled { try await look() }
                }
            }
            group.addTask {
                defer { isDone.set() }
                while !begun.allSatisfy(\.isSet), !Task.isCancelled { await Task.yield() }
                _ = try await store.commit(sent)
            }
            while try await group.next() != nil {}
        }
    }
}

extension ChangeSet {
    /// The same changes with a new commit id.
    fileprivate init(copying other: ChangeSet) {
        self.init(
            inserts: other.inserts, updates: other.updates, deletes: other.deletes, reads: other.reads,
            removals: other.removals)
    }
}
