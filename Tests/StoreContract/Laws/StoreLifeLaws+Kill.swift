internal import LarderData
internal import LarderDomain

/// The data that a store has written when a commit returns, and the state that it reads from that data.
extension StoreLifeLaws {
    static let kill: [Law] = [
        Law(.storeLife, "Acknowledged commits are stored if the process is killed at once", needs: [.durable]) {
            trial in
            var state = ReferenceState(schemas: Press.roots)
            let owner = Press.member(trial.rawID(), "Owner")
            let magazines = (0..<320).map { Press.magazine(trial.rawID(), "M \($0)", owner: owner.id) }
            let topics = (0..<1_200).map { Press.topic(trial.rawID(), "T \($0)") }
            var (renamed, grown) = (magazines[0], magazines[0])
            renamed.values[0] = .text("renamed")
            grown.values[0] = .text("renamed")
            grown.children[0] = [Press.article(trial.rawID(), "a", footnotes: [Press.footnote(trial.rawID(), "b")])]
            let changeSets =
                [
                    ChangeSet(inserts: [owner]), ChangeSet(inserts: magazines),
                    ChangeSet(updates: [magazines[0].update(to: renamed, expecting: 1)]),
                    ChangeSet(updates: [renamed.update(to: grown, expecting: 2)]),
                    ChangeSet(updates: [grown.update(to: grown, expecting: 3)]),
                    ChangeSet(deletes: [magazines[1].deletion(expecting: 1)]),
                    ChangeSet(deletes: magazines.dropFirst(2).map { $0.deletion(expecting: 1) }),
                    ChangeSet(inserts: topics), ChangeSet(deletes: topics.map { $0.deletion(expecting: 1) }),
                    ChangeSet(inserts: [Press.topic(trial.rawID(), "last")]),
                ]
                + [4_000, 9_000, 70_000, 300_001, 1_100_002].map { size in
                    // Various lengths, because a store may write blocks.
                    ChangeSet(inserts: [Press.topic(trial.rawID(), String(repeating: "t", count: size))])
                }
            for (number, changes) in changeSets.enumerated() {
                _ = try await trial.store.commit(changes)
                state = state.state(after: changes)
                let expected = state
                try await trial.killed("kill-\(number)") { again in
                    for schema in Press.roots { try await again.expectAll(expected.all(schema), of: schema) }
                }
            }
        }.tests("commit.4"),
        Law(.storeLife, "Refused and cancelled commits are not stored if the process is killed", needs: [.durable]) {
            trial in
            let (store, ada) = (trial.store, Press.member(trial.rawID(), "Ada"))
            _ = try await store.commit(ChangeSet(inserts: [ada]))
            let many = (0..<320).map { Press.member(trial.rawID(), "Member \($0)") }
            try await duplicate(of: "a taken name") {
                try await store.commit(ChangeSet(inserts: many + [Press.member(trial.rawID(), "Ada")]))
            }
            _ = try? await Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                _ = try await store.commit(ChangeSet(inserts: many))
            }.value
            try await trial.killed("kill") { again in try await again.expectAll([ada.atFirstVersion], of: Press.member)
            }
        }.tests("commit.28", "commit.30"),
        Law(.storeLife, "Every value, list and version is the same after the store was reopened", needs: [.durable]) {
            trial in
            let specimens = try trial.awkwardSpecimens()
            _ = try await trial.store.commit(ChangeSet(inserts: specimens))
            let raised = Array(specimens.prefix(3))
            _ = try await trial.store.commit(ChangeSet(updates: raised.map { $0.update(to: $0, expecting: 1) }))
            let topics = ["z", "y", "x"].map { Press.topic(trial.rawID(), $0) }
            var magazine = Press.magazine(trial.rawID(), "M", topics: [2, 0, 1, 0].map { topics[$0].id })
            magazine.children[0] = (0..<4).map { number in
                Press.article(
                    trial.rawID(), "\(number)",
                    footnotes: (0..<3).map { Press.footnote(trial.rawID(), "\($0)") }.reversed(),
                    figures: [Press.figure(trial.rawID(), [])], topics: [topics[1].id, topics[0].id, topics[1].id])
            }.reversed()
            magazine.children[1] = [Press.advert(trial.rawID()), Press.advert(trial.rawID())].reversed()
            _ = try await trial.store.commit(ChangeSet(inserts: topics + [magazine]))
            let before = try await trial.everything()
            try await trial.reopened { again in
                try await again.expectSame(before)
                try await again.reopened { third in
                    try await third.expectSame(before)
                    var moved = magazine
                    moved.children[0].append(moved.children[0].removeFirst())
                    let update = magazine.update(to: moved, expecting: 1)
                    _ = try await third.store.commit(ChangeSet(updates: [update]))
                    try await third.reopened { try await $0.expectStored(moved, version: 2) }
                }
            }
        }.tests("commit.5", "value.1"),
        Law(.storeLife, "A reopened store judges new ids, values and references by its stored roots", needs: [.durable])
        {
            trial in
            let scene = KeptScene(trial)
            try await scene.fill(trial.store)
            try await trial.reopened { again in
                try await scene.judge(again.store)
                try await again.killed("kill") { try await scene.judge($0.store) }
            }
        }.tests("commit.5", "commit.12", "commit.13", "commit.14", "commit.24"),
    ]
}

/// Roots whose references and unique values constrain other changes.
private struct KeptScene {
    private let member, topic, magazine: StorageObject
    private let ids: [RawID]

    init(_ trial: Trial) {
        ids = (0..<12).map { _ in trial.rawID() }
        (member, topic) = (Press.member(ids[0], "Ada", card: 7), Press.topic(ids[1], "maps"))
        let footnote = Press.footnote(ids[3], "b", topic: topic.id)
        let article = Press.article(ids[2], "a", writer: member.id, footnotes: [footnote])
        magazine = Press.magazine(ids[4], "M", issue: 1, year: 2, articles: [article])
    }

    func fill(_ store: any Store) async throws {
        _ = try await store.commit(ChangeSet(inserts: [member, topic, magazine]))
        _ = try await store.commit(ChangeSet(updates: [topic.update(to: topic, expecting: 1)]))
    }

    func judge(_ store: any Store) async throws {
        for (columns, object) in [
            (["id"], Press.member(member.id, "Bea")), (["name"], Press.member(ids[5], "Ada")),
            (["card"], Press.member(ids[5], "Bea", card: 7)),
            (["title", "issue"], Press.magazine(ids[6], "M", issue: 1)),
            (["issue", "year"], Press.magazine(ids[6], "N", issue: 1, year: 2)),
            (["id"], Press.magazine(ids[6], "N", articles: [Press.article(ids[2], "")])),
            (
                ["id"],
                Press.magazine(
                    ids[6], "N", articles: [Press.article(ids[7], "", footnotes: [Press.footnote(ids[3], "")])])
            ),
        ] {
            let found = try await duplicate(of: "a taken id or value") {
                try await store.commit(ChangeSet(inserts: [object]))
            }
            try expect("the columns of the duplicate", found.columns, is: columns)
        }
        for (object, version) in [(member, 1), (topic, 2)] as [(StorageObject, Int64)] {
            try await dangling(of: "the deletion of a referenced root") {
                try await store.commit(ChangeSet(deletes: [object.deletion(expecting: version)]))
            }
        }
        try await conflict(of: "a stale version") {
            try await store.commit(ChangeSet(reads: [topic.deletion(expecting: 1)]))
        }
    }
}

extension Trial {
    /// Continues with the data that a process killed at this moment would leave.
    func killed(_ name: String, _ body: (Trial) async throws -> Void) async throws {
        guard let copy = fixture.copy else {
            throw LawBroken("the fixture of a store that is durable must say how its files are copied: give it `copy`")
        }
        try await fresh(
            name,
            prepare: { scratch, other in
                // A store that compacts in the background may rename a file during the copy.
                for _ in 0..<20 {
                    do { return try await copy(scratch, other) } catch { await fixture.discard(other) }
                    try await Task.sleep(for: .milliseconds(50))
                }
                try await copy(scratch, other)
            }, body)
    }

    /// All roots that the laws about storing use, in stored form.
    fileprivate func everything() async throws -> [[StorageObject]] {
        var all: [[StorageObject]] = []
        for schema in Press.roots + [SpecimenMapper.schema] {
            all.append(try await store.read(ReadRequest(schema)).items)
        }
        return all
    }

    fileprivate func expectSame(_ expected: [[StorageObject]]) async throws {
        for (found, expected) in zip(try await everything(), expected) {
            for (one, other) in zip(found, expected) {
                try expect("the stored value", one, is: other)
                try expect("the version of \(one.reference)", one.version, is: other.version)
            }
            try expect("how many were kept", found.count, is: expected.count)
        }
    }

    func expectAll(_ expected: [StorageObject], of schema: EntitySchema) async throws {
        let found = try await store.read(ReadRequest(schema, includesTotal: true))
        let expected = expected.sorted { $0.id < $1.id }
        try expect("how many of \(schema.name) are there", found.items.count, is: expected.count)
        try expect("their total", found.total, is: expected.count)
        for (one, other) in zip(found.items, expected) {
            try expect("a stored root", one, is: other)
            try expect("its version", one.version, is: other.version)
        }
        let byIDs = try await store.read(expected.map(\.id), of: schema).sorted { $0.id < $1.id }
        try expect(byIDs == expected, "by ids \(byIDs.count) are there, or others")
    }

    /// A specimen for each value that a store could confuse with another.
    fileprivate func awkwardSpecimens() throws -> [StorageObject] {
        var all: [Specimen] = []
        let day = try day()
        func add(_ change: (inout Specimen) -> Void) {
            var specimen = Specimen(id: id(), day: day)
            change(&specimen)
            all.append(specimen)
        }
        for integer in [.min, .min + 1, -1, 0, 1, 1 << 53 + 1, .max] as [Int64] {
            add {
                ($0.integer, $0.maybeInteger, $0.instant) = (
                    integer, integer, Timestamp(microseconds: integer / 1_000_000)
                )
            }
        }
        for real in [-1e308, -0.1, 0, .leastNonzeroMagnitude, 0.1, 1, 3, 1e15, 1e16, 1e308, Double(Int64.max)] {
            add { ($0.real, $0.maybeReal) = (real, real) }
        }
        let long = String(repeating: "long ", count: 20_000)
        for text in [
            "", " ", "a ", "1", "01", "1.0", "NULL", "null", "\n", "\r\n", "'", "\"", "\\", "\u{FEFF}a", "e\u{301}x",
            "🥐", long,
        ] {
            let composed = text.canonicallyComposed
            add { ($0.text, $0.maybeText) = (composed, composed) }
        }
        for bytes in [[], [0], [0, 0], Array("text".utf8), Array(0...255), [UInt8](repeating: 0, count: 70_000)]
            as [[UInt8]]
        {
            add { ($0.bytes, $0.maybeBytes) = (bytes, bytes) }
        }
        add { ($0.flag, $0.maybeFlag, $0.maybeID) = (true, false, RawID(high: 0, low: 0)) }
        add { $0.maybeID = RawID(high: .max, low: .max) }
        return try all.map { try SpecimenMapper.storageObject(from: $0) }
    }
}

extension StorageObject {
    fileprivate var atFirstVersion: StorageObject {
        var object = self
        object.version = 1
        return object
    }
}
