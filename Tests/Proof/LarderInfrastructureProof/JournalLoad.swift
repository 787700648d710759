import LarderData
import LarderDomain
import LarderStoreContract
import Synchronization

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// A commit of one of the tasks that write. Its content follows from its numbers, so that any process can check it.
struct LoadCommit: Hashable, Sendable {
    let task: Int
    let number: Int

    var code: UInt64 { UInt64(task) << 32 | UInt64(number) }

    /// One to three changes: a new tag, an update of the last one, the deletion of the one before.
    func changes(madeAt milliseconds: UInt64) -> ChangeSet {
        let id = CommitID(RawID(high: milliseconds << 16 | 0x7000, low: 0b10 << 62 | code))
        var changes = ChangeSet(id: id, inserts: [tag(number)])
        let owner = Sample.id(task)
        if number % 3 > 0 {
            let last = tag(number - 1)
            changes.updates = [
                RootUpdate(EntityKey(last.schema, last.id), expected: 1, changes: ObjectChanges(), owner: owner)
            ]
        }
        if number % 3 == 2 {
            let first = tag(number - 2)
            changes.deletes = [RootExpectation(EntityKey(first.schema, first.id), version: 2, owner: owner)]
        }
        return changes
    }

    private func tag(_ number: Int) -> StorageObject {
        Sample.tag(task << 32 | number, "\(task) \(number)")
    }
}

extension LoadCommit {
    init(_ code: UInt64) { self.init(task: Int(code >> 32 & 0xFF), number: Int(code & 0xFFFF_FFFF)) }
}

/// Positions of commits in a file. Each is in the file when `note` returns, also if the process is killed.
final class CommitNotes: Sendable {
    struct Note: Sendable, Equatable {
        let position: Int64
        let commit: LoadCommit
    }

    private static let size = 16
    private let file: any OpenFile
    private let path: String
    private let end: Mutex<Int>

    /// Continues a file, without a note that was not written completely, or creates it.
    init(_ path: String) throws {
        let fileSystem = POSIXFileSystem()
        self.path = path
        file = try fileSystem.status(path) == nil ? fileSystem.create(path) : fileSystem.open(path)
        end = Mutex(try file.size() / Self.size * Self.size)
    }

    var count: Int { get throws { try file.size() / Self.size } }

    func note(_ position: Int64, _ commit: LoadCommit) throws {
        let bytes = [UInt64(position), commit.code].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        try end.withLock { end in
            try file.writeAll(bytes, at: end, path: path)
            end += Self.size
        }
    }

    func all() throws -> [Note] {
        let bytes = try file.read(count * Self.size, at: 0)
        let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return stride(from: 0, to: numbers.count, by: 2).map {
            Note(position: Int64(numbers[$0]), commit: LoadCommit(numbers[$0 + 1]))
        }
    }
}

/// Eight tasks that write to a store, and a reader that reconnects, in this process or another one.
struct JournalLoad: Codable, Sendable {
    static let tasks = 8

    let kind: String
    let path: String
    /// The number of commits of each task.
    let commits: Int
    /// The time in the ids of the commits, in milliseconds.
    var madeAt: UInt64 = 0
    /// The token before the first commit.
    var lifetime: UInt64 = 0
    var start: Int64 = 0

    struct Fault: Error { let description: String }

    func open(readOnly: Bool = false) async throws -> any Store {
        let journal = JournalBounds(changes: 1_000_000)
        switch kind {
        case "memory": return MemoryStore(try Sample.schemas(), journal: journal)
        case "file":
            return try await FileStore.open(.init(path + "/log", journal: journal), schemas: Sample.schemas())
        default:
            return try await SQLiteStore.open(
                .init(
                    .file(path + "/db"), access: readOnly ? .readOnly : .readWrite, durability: .normal,
                    journal: journal),
                schemas: Sample.schemas())
        }
    }

    func notes(_ name: String) throws -> CommitNotes { try CommitNotes(path + "/" + name) }

    /// Writes the commits of each task from a number on, and notes each acknowledged one. A task ends at an error.
    func write(_ store: any Store, from next: [Int], _ acknowledged: CommitNotes) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    for number in next[task]..<max(next[task], commits) {
                        let commit = LoadCommit(task: task, number: number)
                        let token: ChangeToken
                        do {
                            token = try await store.commit(commit.changes(madeAt: madeAt)).token
                        } catch PersistencyError.unavailable, PersistencyError.inDoubt {
                            return
                        }
                        guard token.lifetime == lifetime else { throw Fault(description: "a lifetime of \(token)") }
                        try acknowledged.note(token.position, commit)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Follows a store after the last note, reconnects after every few hundred commits, and notes each commit, until a
    /// position is reached or the store is closed.
    func follow(_ store: any Store, until end: Int64 = .max, _ heard: CommitNotes) async throws {
        var position = try heard.all().last?.position ?? start
        var chance = SystemRandomNumberGenerator()
        while position < end {
            let token = ChangeToken(lifetime: lifetime, position: position)
            var left = Int64.random(in: 100...500, using: &chance)
            for await event in await store.changes(after: token) {
                guard case .commit(let commit) = event else { throw Fault(description: "\(event) after \(token)") }
                let own = LoadCommit(commit.id.rawValue.low)
                guard commit == CommittedChanges(token: commit.token, of: own.changes(madeAt: madeAt)) else {
                    throw Fault(description: "other content of \(own): \(commit)")
                }
                position = commit.token.position
                try heard.note(position, own)
                left -= 1
                if left == 0 || position == end { break }
            }
            // The stream has ended, because the store is closed.
            if left > 0, position < end { return }
        }
    }
}
