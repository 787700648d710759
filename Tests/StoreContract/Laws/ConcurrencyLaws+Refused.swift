internal import LarderData
internal import LarderDomain

/// Readers while several tasks commit change sets that are refused.
extension ConcurrencyLaws {
    static let refused: [Law] = [
        Law(.concurrency, "Readers never see a change set that is refused") { trial in
            let store = trial.store
            let scene = RefusedScene(trial)
            _ = try await store.commit(ChangeSet(inserts: scene.stored))
            let left = Countdown(60)
            // On a busy machine, the writers would otherwise finish before a reader starts.
            let toRead = (0..<2).map { _ in Countdown(20) }
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        while left.take() || !toRead.allSatisfy(\.isOver), !Task.isCancelled {
                            for changes in scene.duplicates {
                                try await duplicate(of: "a value or an id that is taken") {
                                    try await store.commit(changes)
                                }
                            }
                            try await dangling(of: "a reference to nothing") {
                                try await store.commit(scene.dangling)
                            }
                            await Task.yield()
                        }
                    }
                }
                for (reads, byIDs) in zip(toRead, [true, false]) {
                    group.addTask {
                        while !left.isOver || !reads.isOver, !Task.isCancelled {
                            try await scene.expectUnchanged(store, byIDs: byIDs)
                            _ = reads.take()
                            await Task.yield()
                        }
                    }
                }
                while try await group.next() != nil {}
            }
            for byIDs in [true, false] { try await scene.expectUnchanged(store, byIDs: byIDs) }
        }.tests("commit.2", "commit.30")
    ]
}

/// Roots, and change sets that insert, update, and delete some of them, each with one fault.
private struct RefusedScene: Sendable {
    private let topics, members, magazines, new: [StorageObject]
    /// With the id of an owned object of another root, and with a unique value of another root.
    let duplicates: [ChangeSet]
    /// With a dangling reference, after valid changes.
    let dangling: ChangeSet

    var stored: [StorageObject] { topics + members + magazines }

    init(_ trial: Trial) {
        topics = (0..<3).map { Press.topic(trial.rawID(), "Topic \($0)") }
        members = (0..<3).map { Press.member(trial.rawID(), "Member \($0)") }
        magazines = [Press.magazine(trial.rawID(), "M", articles: [Press.article(trial.rawID(), "a")])]
        new = (0..<3).map { Press.topic(trial.rawID(), "New \($0)") }
        var changed = topics[1]
        changed.values[0] = .text("Changed")
        let right = ChangeSet(
            inserts: new, updates: [topics[1].update(to: changed, expecting: 1)],
            deletes: [topics[2].deletion(expecting: 1)])
        func adding(_ object: StorageObject) -> ChangeSet {
            var changes = right
            changes.inserts.append(object)
            return changes
        }
        let taken = magazines[0].children[0][0].id
        duplicates = [
            adding(Press.magazine(trial.rawID(), "N", articles: [Press.article(taken, "b")])),
            adding(Press.member(trial.rawID(), "Member 1")),
        ]
        dangling = adding(Press.magazine(trial.rawID(), "N", owner: trial.rawID()))
    }

    func expectUnchanged(_ store: any Store, byIDs: Bool) async throws {
        if byIDs {
            let found = try await store.read((topics + new).map(\.id), of: Press.topic).sorted { $0.id < $1.id }
            try expect("topics by ids", found, is: topics)
            return
        }
        let names = Condition.hasPrefix(.column(0), "Topic")
        let page = try await store.read(ReadRequest(Press.topic, includesTotal: true))
        try expect("all topics", page.items, is: topics)
        try expect("the total of topics", page.total, is: topics.count)
        try expect("topics by name", try await store.read(ReadRequest(Press.topic, where: names)).items, is: topics)
        let others = try await store.read(ReadRequest(Press.topic, where: .not(names))).items
        try expect("topics by another name", others, is: [])
        let counts = try await store.counts(CountRequest(Press.topic, where: .always(true), by: .column(0)))
        try expect("the counts of topics", counts.count, is: topics.count)
        try expect("all members", try await store.read(ReadRequest(Press.member)).items, is: members)
        try expect("all magazines", try await store.read(ReadRequest(Press.magazine)).items, is: magazines)
    }
}
