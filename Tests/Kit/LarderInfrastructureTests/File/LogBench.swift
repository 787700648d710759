import LarderData
import LarderDomain
import Synchronization
import Testing

@testable import LarderInfrastructure

/// Distinct salts that are the same in every run.
final class Salts: Sendable {
    private let last = Atomic<UInt64>(0x5EED)

    func next() -> UInt64 { last.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue }
}

/// Logs on simulated disks, in an existing folder.
struct LogBench: Sendable {
    static let folder = "/db"
    static let log = "/db/larder.log"
    static let marker = "/db/larder.closed"

    let opening: LogOpening

    init(_ schemas: SchemaSet, compactionFloor: Int = 1 << 16) {
        let salts = Salts()
        opening = LogOpening(
            schemas: schemas, salt: { salts.next() }, compactionFloor: compactionFloor,
            now: { Timestamp(microseconds: 0) })
    }

    /// A disk with an empty folder.
    static var disk: SimulatedDisk {
        var disk = SimulatedDisk()
        disk.place(.folder, at: folder)
        return disk
    }

    func open(
        _ fileSystem: any FileSystem, purpose: String? = nil, journal: JournalBounds? = nil,
        sealing: FileStore.Sealing? = nil
    ) throws(PersistencyError) -> LogEngine {
        try opening.open(
            LogPlace(Self.folder, fileSystem),
            .init(Self.folder, busyTimeout: .zero, purpose: purpose, journal: journal, sealing: sealing))
    }

    /// The roots of a schema on a disk, which this does not change.
    func roots(_ schema: EntitySchema, on disk: SimulatedDisk) throws(PersistencyError) -> [StorageObject] {
        try open(SimulatedFileSystem(disk)).roots(schema)
    }
}

extension LogEngine {
    /// All roots of a schema.
    func roots(_ schema: EntitySchema) -> [StorageObject] {
        state.table.byName[schema.name].map { Array($0.roots) } ?? []
    }

    /// Commits one change set, not in a group.
    @discardableResult
    mutating func commit(_ changes: ChangeSet) throws(PersistencyError) -> CommitReceipt {
        guard let result = commit([PendingCommit(changes)]).results.first else { throw .cancelled }
        return try result.get()
    }

    @discardableResult
    mutating func insert(_ objects: StorageObject...) throws(PersistencyError) -> CommitReceipt {
        try commit(ChangeSet(inserts: objects))
    }

    /// Updates a stored root to this value.
    @discardableResult
    mutating func replace(_ object: StorageObject) throws(PersistencyError) -> CommitReceipt {
        guard let old = state.table[EntityKey(object.schema, object.id)] else { throw .notFound(object.reference) }
        return try commit(ChangeSet(updates: [object.update(from: old)]))
    }

    @discardableResult
    mutating func delete(_ object: StorageObject) throws(PersistencyError) -> CommitReceipt {
        guard let old = state.table[EntityKey(object.schema, object.id)] else { throw .notFound(object.reference) }
        return try commit(ChangeSet(deletes: [old.expecting(old.version)]))
    }
}

/// The error of a synchronous action as text; `nil` if it succeeds.
func refusal(_ work: () throws(PersistencyError) -> Void) -> String? {
    do {
        try work()
        return nil
    } catch {
        return error.summary
    }
}

extension PersistencyError {
    /// The offset of the damage, if the error reports damage.
    var damage: Int? {
        guard case .unavailable(let trouble) = self else { return nil }
        return (trouble.cause as? LogDamage)?.offset
    }
}
