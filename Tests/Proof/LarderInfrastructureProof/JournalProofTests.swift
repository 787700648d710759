import LarderData
import LarderDomain
import LarderStoreContract
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ProcessTests {
    /// Readers of journals that eight tasks write.
    @Suite(.serialized) struct JournalProofTests {
        private let scratch = Scratch()

        @Test(arguments: ["memory", "file", "sqlite"])
        func `a reader that reconnects by token sees each commit once, in order`(kind: String) async throws {
            let began = ContinuousClock.now
            let changes = RunSize.current.of(quick: 5_000, ci: 20_000, prove: 100_000)
            try POSIXFileSystem().makeFolders(scratch.folder)
            // A commit has two changes on average.
            let load = JournalLoad(kind: kind, path: scratch.folder, commits: changes / 2 / JournalLoad.tasks + 1)
            var proof = try JournalProof(load)
            let figure = kind == "memory" ? try await proof.inMemory() : try await proof.durable()
            print(
                RunReport(
                    "journal read during \(changes) changes, \(kind)", figure: figure, seed: nil,
                    duration: ContinuousClock.now - began))
        }
    }
}

/// The phases of a load, and the comparison of the commits that were acknowledged and heard.
private struct JournalProof {
    private var load: JournalLoad
    private let acknowledged, heard, elsewhere: CommitNotes

    init(_ load: JournalLoad) throws {
        self.load = load
        (acknowledged, heard) = (try load.notes("acknowledged"), try load.notes("heard"))
        elsewhere = try load.notes("elsewhere")
    }

    /// Notes the token before the first commit, and the time of the next ones.
    private mutating func begin(_ store: any Store) async throws {
        let start = try await store.commit(ChangeSet()).token
        (load.lifetime, load.start) = (start.lifetime, start.position)
        // Ids name milliseconds: the journal is older than all of them.
        try await Task.sleep(for: .milliseconds(2))
        load.madeAt = UInt64(Timestamp.now().microseconds / 1_000)
        try await Task.sleep(for: .milliseconds(2))
    }

    private var end: Int64 { load.start + Int64(JournalLoad.tasks * load.commits) }

    mutating func inMemory() async throws -> String {
        let store = try await load.open()
        try await begin(store)
        try await finish(store, from: Array(repeating: 0, count: JournalLoad.tasks))
        return try check()
    }

    /// The first part is written by a process that is killed, the second by a store that is closed meanwhile.
    mutating func durable() async throws -> String {
        var store = try await load.open()
        try await begin(store)
        await store.close()
        let (load, elsewhere) = (load, elsewhere)
        // A reader in this process, which reads the writer's database without a pause until the end.
        let reader: Task<Void, any Error>? =
            load.kind != "sqlite"
            ? nil
            : Task { [end] in
                let store = try await load.open(readOnly: true)
                try await load.follow(store, until: end, elsewhere)
                await store.close()
            }
        try await killedWriter()
        let killed = try (acknowledged: acknowledged.count, heard: heard.count)

        store = try await load.open()
        var next = try await nextNumbers(store)
        try await closedMeanwhile(store, from: next)
        let closed = try acknowledged.count

        store = try await load.open()
        next = try await nextNumbers(store)
        try await finish(store, from: next)
        try await reader?.value
        return try check()
            + ", killed after \(killed.acknowledged) (\(killed.heard) heard), closed after \(closed)"
    }

    /// Ends a process that writes and reads with `kill -9`, after a random number of acknowledged commits.
    private func killedWriter() async throws {
        let child = Task { [load] in
            _ = await #expect(processExitsWith: .signal(SIGKILL)) { [load = load as JournalLoad] in
                _ = FileManager.default.createFile(atPath: load.path + "/pid", contents: Data("\(getpid())".utf8))
                let store = try await load.open()
                let (acknowledged, heard) = (try load.notes("acknowledged"), try load.notes("heard"))
                async let following: Void = load.follow(store, heard)
                try await load.write(store, from: Array(repeating: 0, count: JournalLoad.tasks), acknowledged)
                // The kill was too late, and the reader has not ended.
                try await following
            }
        }
        let all = JournalLoad.tasks * load.commits
        let limit = Int.random(in: all / 5...all / 2)
        try await until { (try? acknowledged.count) ?? 0 >= limit }
        let text = FileManager.default.contents(atPath: load.path + "/pid").map { String(decoding: $0, as: UTF8.self) }
        kill(try #require(text.flatMap { pid_t($0) }), SIGKILL)
        await child.value
    }

    /// Closes the store while tasks write. The reader continues where the killed one ended.
    private func closedMeanwhile(_ store: any Store, from next: [Int]) async throws {
        let (before, left) = (try acknowledged.count, JournalLoad.tasks * load.commits - next.reduce(0, +))
        // Not the one that has the length of the file from before the other process.
        let (acknowledged, heard) = (try load.notes("acknowledged"), try load.notes("heard"))
        async let following: Void = load.follow(store, heard)
        async let writing: Void = load.write(store, from: next, acknowledged)
        try await until { (try? acknowledged.count) ?? 0 >= before + left / 3 }
        await store.close()
        try await writing
        try await following
    }

    /// Writes the rest. Afterwards a second reader reads everything from the start.
    private func finish(_ store: any Store, from next: [Int]) async throws {
        let (acknowledged, heard) = (try load.notes("acknowledged"), try load.notes("heard"))
        async let following: Void = load.follow(store, until: end, heard)
        try await load.write(store, from: next, acknowledged)
        try await following
        let again = try load.notes("again")
        try await load.follow(store, until: end, again)
        #expect(try again.all() == heard.all(), "the commits that were read again")
        await store.close()
    }

    /// The number of the next commit of each task. Of the commit that was not acknowledged, the store knows the outcome.
    private func nextNumbers(_ store: any Store) async throws -> [Int] {
        var next = Array(repeating: 0, count: JournalLoad.tasks)
        for note in try acknowledged.all() { next[note.commit.task] = note.commit.number + 1 }
        for task in next.indices where next[task] < load.commits {
            let id = LoadCommit(task: task, number: next[task]).changes(madeAt: load.madeAt).id
            let outcome = try await store.outcome(of: id)
            #expect(outcome != .unknown)
            // If the outcome is wrong, the commit fails when it is made again, or is missing at the end.
            if outcome == .stored { next[task] += 1 }
        }
        return next
    }

    /// All commits were heard once, at consecutive positions, each acknowledged one at its position.
    private func check() throws -> String {
        let notes = try heard.all()
        #expect(notes.map(\.position) == Array(load.start + 1...end))
        let commits = Set(notes.map(\.commit))
        #expect(commits.count == JournalLoad.tasks * load.commits)
        #expect(commits.allSatisfy { $0.task < JournalLoad.tasks && $0.number < load.commits })
        for note in try acknowledged.all() {
            let index = Int(note.position - load.start) - 1
            guard notes.indices.contains(index), notes[index] == note else {
                Issue.record("\(note.commit) was acknowledged at position \(note.position), and not heard there")
                break
            }
        }
        if load.kind == "sqlite" { #expect(try elsewhere.all() == notes) }
        let changes = commits.reduce(0) { $0 + $1.changes(madeAt: 0).changeCount }
        return "\(changes) changes in \(commits.count) commits by \(JournalLoad.tasks) tasks"
    }
}

extension ChangeSet {
    fileprivate var changeCount: Int { inserts.count + updates.count + deletes.count }
}
