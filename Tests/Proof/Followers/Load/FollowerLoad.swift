/// `FollowerLoad STORE NOTES TASKS`: creates notes until the store has a number of them, each in a commit, while a follower
/// stores an echo of each, and an outbox prints each note's event; ends when all are handled. The store is `sqlite:`, `file:` and
/// a path, or a connection string. Any number of these processes may be killed.
///
/// `FollowerLoad STORE` prints the number of notes, of those without an echo, and of further echoes.
///
/// `FollowerLoad STORE ticks END MILLISECONDS FILE` does recurring work until a time in microseconds since 1970, with a tick each
/// number of milliseconds, and `FollowerLoad STORE ticks` prints what it has left in the store.
import Foundation
import LarderData
import LarderDomain
import LarderFollowers
import LarderInfrastructure
import LarderPostgres

@main
struct FollowerLoad {
    /// Short, so that many kills are followed by a takeover.
    static let lease = Duration.milliseconds(500)

    let store: any Store
    let manager: StoreManager

    static func main() async {
        do { try await run(CommandLine.arguments) } catch {
            log("\(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        let mappers = try MapperSet(
            [NoteMapper.self, EchoMapper.self, NoteTakenMapper.self, BeatMapper.self] + Followers.mappers)
        guard arguments.count > 1 else { throw UsageError() }
        let store = try await open(arguments[1], mappers.schemas)
        let load = FollowerLoad(store: store, manager: StoreManager(store, mappers: mappers))
        switch arguments.dropFirst(2) {
        case let rest where rest.isEmpty: try await load.judge()
        case ["ticks"]: try await load.printTicks()
        case let rest where rest.first == "ticks" && rest.count == 4:
            guard let end = Int64(arguments[3]), let interval = Int64(arguments[4]) else { throw UsageError() }
            try await load.repeatWork(
                until: Timestamp(microseconds: end), every: .milliseconds(interval), arguments[5])
        case let rest where rest.count == 2:
            guard let notes = Int(arguments[2]), let tasks = Int(arguments[3]) else { throw UsageError() }
            try await load.write(notes, tasks)
        default: throw UsageError()
        }
        await store.close()
    }

    private static func open(_ store: String, _ schemas: SchemaSet) async throws -> any Store {
        if let path = store.removingPrefix("sqlite:") {
            return try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: schemas)
        }
        if let path = store.removingPrefix("file:") { return try await FileStore.open(.init(path), schemas: schemas) }
        #if Postgres
        return try await PostgresStore.open(.init(store, connections: 8), schemas: schemas)
        #else
        throw UsageError()
        #endif
    }

    private func write(_ notes: Int, _ tasks: Int) async throws {
        var echoes = Follower.storing("echoes", changesOf: [Note.entityName]) { changes, unit in
            for entry in changes.entries { try await unit.create(Echo(note: EntityID(entry.reference.id))) }
        }
        var outbox = Follower.outbox(
            "outbox", [Delivery(of: NoteTaken.self) { event in log("event \(event.note)") }])
        (echoes.policy.lease, outbox.policy.lease) = (Self.lease, Self.lease)
        let followers = try Followers([echoes, outbox], store: store, manager: manager) { notice in
            if case .handled = notice { return }
            log("\(notice)")
        }
        let run = Task { try await followers.run() }
        // The first start of the followers precedes the notes.
        while try await followers.statuses().contains(where: { $0.position == nil }) { try await pause() }
        log("started")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    let all = Query<Note>(limit: 1, includesTotal: true)
                    // A server that was killed does not answer.
                    while (try? await manager.read(all).total ?? 0) ?? 0 < notes {
                        // Each task counts now and then only.
                        for _ in 0..<100 { try? await create(task) }
                    }
                }
            }
            try await group.waitForAll()
        }
        while true {
            guard let statuses = try? await followers.statuses() else {
                try await pause()
                continue
            }
            if statuses.allSatisfy({ $0.lag == 0 && $0.setAside == 0 }) { break }
            if statuses.contains(where: { $0.isStopped || $0.setAside > 0 }) {
                throw FollowerStopped(statuses: statuses)
            }
            try await pause()
        }
        run.cancel()
        try await run.value
        log("done")
    }

    private func create(_ task: Int) async throws {
        let note = Note(id: EntityID(Note.ids.next()))
        try await manager.transaction { unit in
            try await unit.create(note)
            try await unit.create(NoteTaken(id: EntityID(Note.ids.next()), note: note.id))
        }
    }

    private func judge() async throws {
        var unheard: Set<RawID> = []
        var further = 0
        for try await note in manager.stream(Query<Note>()) { unheard.insert(note.id.rawValue) }
        let count = unheard.count
        for try await echo in manager.stream(Query<Echo>()) where unheard.remove(echo.entity.note.rawValue) == nil {
            further += 1
        }
        log("\(count) \(unheard.count) \(further)")
    }

    func pause() async throws { try await Task.sleep(for: .milliseconds(20)) }
}

/// Writes a line at once, because the process may be killed.
func log(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line.replacing("\n", with: " "))\n".utf8))
}

struct UsageError: Error, CustomStringConvertible {
    let description =
        "FollowerLoad STORE [NOTES TASKS | ticks [END MILLISECONDS FILE]]; PostgreSQL needs --traits Postgres"
}

struct FollowerStopped: Error {
    let statuses: [FollowerStatus]
}

extension String {
    fileprivate func removingPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
