internal import LarderData
internal import LarderDomain
package import LarderInfrastructure
internal import Synchronization

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The backup file of a command, and the output about it.
package enum BackupFile {
    package static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Shows the progress of work on a thread of a store.
    package static func progressing<Result>(
        _ label: String, _ work: (@escaping BackupProgress) async throws -> Result
    ) async throws -> Result {
        let bar = Mutex(ProgressBar(label))
        defer { bar.withLock { $0.clear() } }
        return try await work { count in bar.withLock { $0.update(done: count, fraction: nil) } }
    }

    /// Prints the number of objects and the digest of each entity.
    package static func print(_ entities: [EntityDigest], asJSON: Bool) throws {
        try Terminal.output(
            entities, asJSON: asJSON,
            [.init("ENTITY", isKey: true), .init("COUNT", isNumber: true), .init("DIGEST")],
            row: { [$0.entity, "\($0.count)", $0.hex] },
            json: { JSON.sorted(["entity": $0.entity, "count": $0.count, "digest": $0.hex]) })
    }

    /// Prints the content of a backup, and its size, version, commit and time.
    package static func print(_ backup: Backup, asJSON: Bool) throws {
        try print(backup.entities, asJSON: asJSON)
        Terminal.warn(
            "\(backup.path): \(counted(backup.count, "object")), \(counted(backup.size, "byte")), schema version "
                + "\(backup.schemaVersion), commit \(backup.token.position), written at \(backup.time)")
    }
}
