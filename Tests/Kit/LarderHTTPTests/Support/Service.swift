import Foundation
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Synchronization

/// A store with persons, tokens and responses, and a clock that only the test advances.
final class Service: Sendable {
    let store: any Store
    let manager: StoreManager
    let clock: StoppedClock
    /// The recorded operations of a store in memory.
    let script = MemoryStore.Script()

    /// - Parameter path: The path of the database; `nil` for a store in memory.
    init(path: String? = nil, clock: StoppedClock = StoppedClock()) async throws {
        let mappers = try MapperSet([PersonMapper.self, PersonTokenMapper.self, StoredResponseMapper.self])
        store =
            if let path {
                try await SQLiteStore.open(.init(.file(path), durability: .off), schemas: mappers.schemas)
            } else {
                MemoryStore(mappers.schemas, script: script)
            }
        manager = StoreManager(store, mappers: mappers, retry: RetryPolicy(sleep: { _ in }))
        self.clock = clock
    }

    var tokens: AccessTokens { AccessTokens(manager: manager, prefix: "loans_", now: clock.read) }

    func keeper(_ limits: ResponseLimits = ResponseLimits()) -> ResponseKeeper {
        ResponseKeeper(limits: limits, now: clock.read)
    }

    func addPerson(_ name: String = "Ann") async throws -> Person {
        let person = Person(id: EntityID(UUIDv7Generator().next()), name: name)
        try await manager.create(person)
        return person
    }
}

/// A clock that only a test advances.
final class StoppedClock: Sendable {
    private let instant = Mutex(Timestamp(microseconds: 1_700_000_000_000_000))

    var read: @Sendable () -> Timestamp { { self.instant.withLock { $0 } } }

    func advance(seconds: Int64) {
        instant.withLock { $0 = Timestamp(microseconds: $0.microseconds + seconds * 1_000_000) }
    }
}

/// A path for a database, in a folder that is removed after the body.
func withDatabase(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: "service.sqlite").path)
}
