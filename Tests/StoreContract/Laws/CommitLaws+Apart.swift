internal import LarderData
internal import LarderDomain

/// Related roots in one change set, with hundreds of other roots between them.
extension CommitLaws {
    static let apart: [Law] = [
        Law(.commits, "Roots of one change set are judged together, however many others are between them") { trial in
            for count in [60, 1_100] {
                try await trial.fresh("apart-\(count)") { trial in
                    try await expectTwinsRefused(count, trial)
                    try await expectNamesPassedOn(count, trial)
                    try await expectRingOfReferences(count, trial)
                    try await expectOwnedExchanged(count, trial)
                }
            }
        }.tests(
            "commit.1", "commit.13", "commit.14", "commit.15", "commit.21", "commit.22", "commit.23", "commit.24",
            "set.21")
    ]

    /// The first and the last root have the same unique value, or own objects with the same id.
    private static func expectTwinsRefused(_ count: Int, _ trial: Trial) async throws {
        var members = (0..<count).map { Press.member(trial.rawID(), "Twin \($0)") }
        members[count - 1].values[0] = members[0].values[0]
        try await duplicate(of: "a name twice in \(count) roots") {
            try await trial.store.commit(ChangeSet(inserts: members))
        }
        var magazines = magazines(count, trial)
        magazines[count - 1].children[0] = magazines[0].children[0]
        try await duplicate(of: "an owned id twice in \(count) roots") {
            try await trial.store.commit(ChangeSet(inserts: magazines))
        }
        try await trial.expectCount(0, of: Press.member)
        try await trial.expectCount(0, of: Press.magazine)
    }

    /// Each root takes the unique value of the next root, and the last root that of the first.
    private static func expectNamesPassedOn(_ count: Int, _ trial: Trial) async throws {
        let members = (0..<count).map { Press.member(trial.rawID(), "Member \($0)") }
        _ = try await trial.store.commit(ChangeSet(inserts: members))
        let moved = members.indices.map { Press.member(members[$0].id, "Member \(($0 + 1) % count)") }
        let updates = zip(members, moved).map { $0.update(to: $1, expecting: 1) }
        _ = try await trial.store.commit(ChangeSet(updates: updates))
        for place in [0, count - 1] { try await trial.expectStored(moved[place], version: 2) }
        let twins = moved.indices.map { Press.member(moved[$0].id, $0 % (count - 1) == 0 ? "One" : "New \($0)") }
        try await duplicate(of: "a name that two of \(count) take") {
            try await trial.store.commit(ChangeSet(updates: zip(moved, twins).map { $0.update(to: $1, expecting: 2) }))
        }
    }

    /// Each root refers to the next one, the last one to the first, and all are deleted at once.
    private static func expectRingOfReferences(_ count: Int, _ trial: Trial) async throws {
        let ids = (0..<count).map { _ in trial.rawID() }
        let topics = ids.indices.map { Press.topic(ids[$0], "Topic \($0)", parent: ids[($0 + 1) % count]) }
        _ = try await trial.store.commit(ChangeSet(inserts: topics))
        for place in [0, count - 1] { try await trial.expectStored(topics[place]) }
        for left in [0, count - 1] {
            let some = topics.enumerated().filter { $0.offset != left }.map { $0.element.deletion(expecting: 1) }
            try await dangling(of: "the deletion of all but one of \(count)") {
                try await trial.store.commit(ChangeSet(deletes: some))
            }
        }
        _ = try await trial.store.commit(ChangeSet(deletes: topics.map { $0.deletion(expecting: 1) }))
        try await trial.expectCount(0, of: Press.topic)
    }

    /// Each root gets the owned objects of the root at the same distance from the other end.
    private static func expectOwnedExchanged(_ count: Int, _ trial: Trial) async throws {
        let magazines = magazines(count, trial)
        _ = try await trial.store.commit(ChangeSet(inserts: magazines))
        let moved = zip(magazines, magazines.reversed()).map { one, other in
            var one = one
            one.children[0] = other.children[0]
            return one
        }
        let updates = zip(magazines, moved).map { $0.update(to: $1, expecting: 1) }
        _ = try await trial.store.commit(ChangeSet(updates: updates))
        for place in [0, 1, count / 2, count - 1] { try await trial.expectStored(moved[place], version: 2) }
    }

    private static func magazines(_ count: Int, _ trial: Trial) -> [StorageObject] {
        (0..<count).map { number in
            Press.magazine(trial.rawID(), "M \(number)", articles: [Press.article(trial.rawID(), "\(number)")])
        }
    }
}
