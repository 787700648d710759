import LarderData
import LarderDomain
import LarderFollowers
import Synchronization
import Testing

@Suite("A follower")
struct FollowerTests {
    @Test(arguments: FollowedStore.all)
    func `receives each commit that changes its entities once, in commit order`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let seen = Mutex<[CommittedChanges]>([])
        let followers = try notes.followers(
            .calling("seen", changesOf: ["note"]) { changes, _ in seen.withLock { $0.append(changes) } })
        try await notes.run(followers) { try await notes.isRegistered("seen") }
        let start = try #require(try await notes.position("seen"))
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    try await notes.create((0..<50).map { task * 100 + $0 })
                    try await notes.manager.create(Echo(of: .init(Note(1).reference, kind: .inserted, version: 1)))
                    try await notes.manager.update(Note(task * 100, "changed"))
                }
            }
            try await group.waitForAll()
        }
        try await notes.manager.delete(Note(0).id)
        try await notes.run(followers) { seen.withLock { $0.count } >= 205 }
        let heard = seen.withLock { $0 }
        #expect(heard.count == 205)
        #expect(heard.map(\.token.position) == heard.map(\.token.position).sorted())
        #expect(heard.last?.entries.map(\.kind) == [.deleted])
        #expect(heard.allSatisfy { $0.entries.allSatisfy { $0.reference.entity == "note" } })
        var expected: [CommittedChanges] = []
        for await event in await notes.store.changes(after: start) {
            if case .commit(let commit) = event, commit.entries.contains(where: { $0.reference.entity == "note" }) {
                expected.append(commit)
            }
            if expected.count == 205 { break }
        }
        #expect(heard == expected)
    }

    @Test(arguments: FollowedStore.all)
    func `has each effect in the same store once, however often its runs end`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let followers = try notes.followers(.echoes())
        try await notes.run(followers) { try await notes.isRegistered("echoes") }
        let writer = Task { try await notes.create(1...400) }
        for run in 1...20 {
            try await notes.run(followers) { try await notes.echoes().count >= run * 10 }
        }
        try await writer.value
        try await notes.run(followers) { try await notes.echoes().count >= 400 }
        let echoes = try await notes.echoes()
        #expect(echoes.count == 400 && Set(echoes).count == 400)
    }

    @Test(arguments: FollowedStore.all)
    func `does not receive its own commits`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let calls = Mutex(0)
        let followers = try notes.followers(
            .storing("copies", changesOf: ["note"]) { changes, unit in
                calls.withLock { $0 += 1 }
                for entry in changes.entries { try await unit.create(Note(Int(entry.reference.id.low) + 1000)) }
            }.with { $0.policy.batch = 1 })
        try await notes.run(followers) { try await notes.isRegistered("copies") }
        try await notes.create(1...3)
        try await notes.run(followers) { try await notes.manager.read(Query<Note>()).items.count >= 6 }
        try await notes.create([4])
        try await notes.run(followers) { try await notes.manager.read(Query<Note>()).items.count >= 8 }
        #expect(calls.withLock { $0 } == 4)
    }

    @Test(arguments: [FollowedStore.file, .sqlite])
    func `continues after its position when the store is opened again`(_ kind: FollowedStore) async throws {
        let folder = FollowedFolder()
        for start in [1, 11, 21] {
            // The journal retains fewer commits than are unread.
            let notes = try await FollowedNotes(kind, in: folder, journal: JournalBounds(changes: 2))
            let followers = try notes.followers(.echoes())
            if start == 1 { try await notes.run(followers) { try await notes.isRegistered("echoes") } }
            try await notes.create(start..<start + 10)
            try await notes.run(followers) { try await notes.echoes().count >= start + 4 }
            await notes.store.close()
        }
        let notes = try await FollowedNotes(kind, in: folder)
        try await notes.run(try notes.followers(.echoes())) { try await notes.echoes().count >= 30 }
        #expect(Set(try await notes.echoes()).count == 30)
        await notes.store.close()
    }

    @Test(arguments: FollowedStore.all)
    func `finds all commits that it has not read in the journal, which then drops them`(
        _ kind: FollowedStore
    ) async throws {
        let notes = try await FollowedNotes(kind, journal: JournalBounds(changes: 10))
        let followers = try notes.followers(.echoes())
        try await notes.run(followers) { try await notes.isRegistered("echoes") }
        let start = try #require(try await notes.position("echoes"))
        try await notes.create(1...600)
        try await notes.run(followers) { try await notes.echoes().count >= 600 }
        #expect(Set(try await notes.echoes()).count == 600)
        try await eventually {
            try await notes.manager.save(Note(601, "\(UInt64.random(in: .min ... .max))"))
            for await event in await notes.store.changes(after: start) {
                if case .gap = event { return true }
                break
            }
            return false
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [100, 2])
    func `gathers commits for an interval, unless they fill a batch, and does not wait for it at the end`(
        batch: Int
    ) async throws {
        let log = Mutex<[String]>([])
        let isStopped = Mutex(false)
        let clock = FollowerClock(sleep: { pause in
            log.withLock { $0.append("\(pause)") }
            repeat { try await Task.sleep(for: .milliseconds(2)) } while isStopped.withLock { $0 }
        })
        let notes = try await FollowedNotes(.memory, clock: clock)
        let followers = try notes.followers(
            .echoes().with { ($0.policy.interval, $0.policy.batch) = (.seconds(1), batch) },
            report: { notice in
                guard case .handled(_, let commits, _) = notice else { return }
                log.withLock { $0.append("\(commits)") }
                if commits == 1 { isStopped.withLock { $0 = true } }
            })
        try await notes.run(followers) { try await notes.isRegistered("echoes") }
        let run = Task { try await followers.run() }
        try await eventually { try await notes.isHeld("echoes") }
        try await notes.create([1])
        try await eventually { log.withLock { $0.suffix(2) } == ["1", "1.0 seconds"] }
        try await notes.create(2...9)
        #expect(try await notes.echoes() == ["1@1"])
        try await eventually {
            isStopped.withLock { $0 = false }
            return try await notes.echoes().count == 9
        }
        isStopped.withLock { $0 = true }
        let batches = log.withLock { $0 }.split(separator: "1.0 seconds").map { $0.compactMap { Int($0) } }
        #expect(batches.joined().allSatisfy { $0 <= batch })
        // A pause follows each, unless it is full.
        #expect(batch == 2 || batches.allSatisfy { $0.count <= 1 })
        run.cancel()
        try await run.value
    }

    @Test(arguments: FollowedStore.all)
    func `stops at a gap, or reads everything again`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind, journal: JournalBounds(changes: 10, unread: 20))
        let reads = Mutex<[Int]>([])
        let stopping = try notes.followers(.echoes("stopping"))
        let reading = try notes.followers(
            Follower.calling("reading", changesOf: ["note"]) { _, _ in }.with {
                $0.restart = .again(atStart: true) { manager in
                    let count = try await manager.read(Query<Note>()).items.count
                    reads.withLock { $0.append(count) }
                }
            })
        try await notes.run(stopping) { try await notes.isRegistered("stopping") }
        try await notes.run(reading) { reads.withLock { $0 } == [0] }
        try await notes.create(1...600)
        try await notes.run(stopping) { try await stopping.statuses().contains { $0.isStopped } }
        let stopped = try #require(try await stopping.statuses().first { $0.name == "stopping" })
        #expect(stopped.failure == "the journal does not retain the next commits; reset the follower")
        #expect(try await notes.echoes().isEmpty)
        // Twice, if its own commits drop others that it has yet to handle.
        try await notes.run(reading) { reads.withLock { $0.count > 1 } }
        #expect(reads.withLock { $0.first == 0 && $0.dropFirst().allSatisfy { $0 == 600 } })
        try await stopping.reset("stopping")
        try await notes.run(stopping) { try await notes.isRegistered("stopping") }
        try await notes.create([601])
        try await notes.run(stopping) { try await notes.echoes() == ["601@1"] }
    }
}

extension Note {
    var reference: EntityReference { EntityReference(id) }
}
