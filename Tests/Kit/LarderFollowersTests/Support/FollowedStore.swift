import Foundation
import LarderData
import LarderDomain
@testable import LarderFollowers
import LarderInfrastructure

/// A kind of store under followers, which can be opened again.
struct FollowedStore: Sendable, CustomStringConvertible {
    let name: String
    let open: @Sendable (SchemaSet, _ scratch: String, JournalBounds) async throws -> any Store

    var description: String { name }

    static let all = [memory, cached, file, sqlite]

    static let memory = FollowedStore(name: "memory") { schemas, _, bounds in MemoryStore(schemas, journal: bounds) }

    static let cached = FollowedStore(name: "memory, cached") { schemas, _, bounds in
        CachedStore(MemoryStore(schemas, journal: bounds))
    }

    static let file = FollowedStore(name: "file") { schemas, scratch, bounds in
        try await FileStore.open(.init("\(scratch)/log", journal: bounds), schemas: schemas)
    }

    static let sqlite = FollowedStore(name: "sqlite") { schemas, scratch, bounds in
        try await SQLiteStore.open(
            .init(.file("\(scratch)/notes.sqlite"), durability: .normal, journal: bounds), schemas: schemas)
    }
}

/// A store with notes, and its followers.
final class FollowedNotes: Sendable {
    let store: any Store
    let manager: StoreManager
    let clock: FollowerClock
    private let folder: FollowedFolder

    init(
        _ kind: FollowedStore, in folder: FollowedFolder = FollowedFolder(), journal: JournalBounds = JournalBounds(),
        clock: FollowerClock = .fast
    ) async throws {
        let mappers = try MapperSet(
            [NoteMapper.self, EchoMapper.self, NoteTakenMapper.self, NoteLostMapper.self] + Followers.mappers)
        (self.folder, self.clock) = (folder, clock)
        store = try await kind.open(mappers.schemas, folder.path, journal)
        manager = StoreManager(store, mappers: mappers)
    }

    /// The same store for another process.
    init(sharing other: FollowedNotes, clock: FollowerClock) {
        (store, manager, self.clock, folder) = (other.store, other.manager, clock, other.folder)
    }

    func followers(
        _ followers: Follower..., report: @escaping @Sendable (FollowerNotice) -> Void = { _ in }
    ) throws -> Followers {
        try Followers(followers, store: store, manager: manager, clock: clock, report: report)
    }

    func recurring(
        _ work: RecurringWork..., report: @escaping @Sendable (FollowerNotice) -> Void = { _ in }
    ) throws -> Followers {
        try Followers([], recurring: work, store: store, manager: manager, clock: clock, report: report)
    }

    /// Creates notes, each in a commit.
    func create(_ numbers: some Sequence<Int>) async throws {
        for number in numbers { try await manager.create(Note(number)) }
    }

    private func state(_ name: String) async throws -> FollowerState? {
        try await manager.read(FollowerState.id(of: name))?.entity
    }

    func isRegistered(_ name: String) async throws -> Bool { try await state(name) != nil }

    func isHeld(_ name: String) async throws -> Bool { try await state(name)?.holder != nil }

    func position(_ name: String) async throws -> ChangeToken? { try await state(name)?.position }

    /// Stores that another process runs a follower, which a killed process leaves behind.
    func hold(_ name: String) async throws {
        try await manager.change(FollowerState.id(of: name)) { $0.holder = RawID(high: 1, low: 1) }
    }

    /// The effects so far.
    func echoes() async throws -> [String] {
        try await manager.read(Query<Echo>()).items.map(\.entity.key)
    }

    /// Runs the followers until a condition is true.
    func run(_ followers: Followers, until isDone: @Sendable () async throws -> Bool) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await followers.run() }
            defer { group.cancelAll() }
            try await eventually(isDone)
        }
    }
}

/// The files of a store.
final class FollowedFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension Follower {
    /// A follower that stores an echo for each change of a note.
    static func echoes(
        _ name: String = "echoes", _ before: @escaping @Sendable (CommittedChanges) async throws -> Void = { _ in }
    ) -> Follower {
        storing(name, changesOf: [Note.entityName]) { changes, unit in
            try await before(changes)
            for entry in changes.entries { try await unit.create(Echo(of: entry)) }
        }
    }

    func with(_ change: (inout Follower) -> Void) -> Follower {
        var follower = self
        change(&follower)
        return follower
    }
}

extension FollowerClock {
    /// Pauses are short.
    static let fast = FollowerClock(sleep: { _ in try await Task.sleep(for: .milliseconds(2)) })
}

/// A condition that a test awaited and that never became true.
struct Never: Error {}

/// The number of attempts at a condition. Tests of mutants, which never fulfill it, have fewer.
enum Patience {
    @TaskLocal static var attempts = 15_000
}

/// Waits for a condition, counting attempts, because the test may itself wait long for its turn.
func eventually(_ isSo: @Sendable () async throws -> Bool) async throws {
    for _ in 0..<Patience.attempts {
        if try await isSo() { return }
        try await Task.sleep(for: .milliseconds(2))
    }
    throw Never()
}
