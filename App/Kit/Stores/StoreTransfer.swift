package import LarderData
internal import LarderDecorators
package import LarderDomain
package import LarderInfrastructure

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// A transfer of everything from one store to another, in steps that a repetition continues.
///
/// A copy of the source, in one file next to the target, is the record of the transfer. When the target was filled from
/// it, the name of the file gets the lifetime of the target, which identifies it. `docs/transfer.md` describes the steps.
package struct StoreTransfer {
    /// Writes a copy of the source to a path.
    package typealias Copier = (_ path: String) async throws -> Backup

    private var source: StoreSettings
    private var target: StoreSettings
    private let schemas: SchemaSet
    private let copy: String

    /// - Parameter copy: The path of the copy, which is required if neither store has a path.
    /// - Throws: `CommandFailure` for stores in memory, and for one store as both.
    package init(
        from source: StoreSettings, to target: StoreSettings, _ schemas: SchemaSet, copy: String? = nil
    ) throws(CommandFailure) {
        try source.checkDurable()
        try target.checkDurable()
        guard source.location != target.location else {
            throw CommandFailure(.usage, "\(source.location) is both source and target", advice: "Choose another --to.")
        }
        guard let copy = copy ?? target.location.pathOfTransfer ?? source.location.pathOfTransfer else {
            throw CommandFailure(
                .usage, "the copy of the source needs a path",
                advice: "Name a file on a disk with enough space: --copy."
            )
        }
        (self.source, self.target, self.schemas, self.copy) = (source, target, schemas, copy)
        // Changed schemas would make digests differ.
        self.source.migration = MigrationOptions(mode: .none)
        self.target.migration = MigrationOptions(mode: .none)
        (self.source.purpose, self.target.purpose) = ("being transferred", "being filled by a transfer")
    }

    /// Copies the source, which remains in use, and fills the target from the copy.
    ///
    /// - Parameter service: Writes the copy, if a service has the source open.
    /// - Returns: The last commit that the target contains.
    /// - Throws: `CommandFailure` if the target is another store.
    package func fill(by service: Copier? = nil) async throws -> ChangeToken {
        try await create { copy in
            if let service { return try await service(copy) }
            try await checkExists()
            var source = source
            source.isReadOnly = true
            return try await source.opened(schemas) { try await write($0, to: copy) }
        }
        return try await target.opened(schemas) { target in
            guard let copy = try await adopt(target) else {
                throw CommandFailure(
                    .conflict, "\(self.target.location) exists already, and no transfer into it is in progress",
                    advice: "If one has ended, repeat it without --live. Otherwise, choose another --to.")
            }
            return try Backup.token(of: copy)
        }
    }

    /// Transfers the source, to which nothing is committed meanwhile: it fills the target if this was not done, applies
    /// the changes since, and compares both stores.
    ///
    /// - Returns: The digests of the content of both stores.
    /// - Throws: `CommandFailure` if the target is another store, if the stores differ at the end, or if another process
    ///   has written to the source.
    package func run() async throws -> [EntityDigest] {
        try await checkExists()
        // Open for writing, so that no other process writes to a store on disk.
        return try await source.opened(schemas) { source in
            let hasJournal = source.traits.capabilities.contains(.journal)
            // Without a journal, later changes of the source cannot be detected.
            if !hasJournal, try await target.isNew(schemas), BackupFile.exists(copy) { try remove(copy) }
            try await create { try await write(source, to: $0) }
            return try await target.opened(schemas) { target in
                let copy = try await adopt(target)
                var token = try await source.commit(ChangeSet()).token
                if let copy, hasJournal {
                    token = try await CatchUp(from: source, to: target).run(after: try Backup.token(of: copy)).token
                }
                let expected = try await digests(of: source, "check source")
                guard try await digests(of: target, "check target") == expected else { throw isForeign }
                guard try await source.commit(ChangeSet()).token == token else {
                    throw CommandFailure(
                        .conflict, "another process writes to \(self.source.location)",
                        advice: "Stop it, and transfer again.")
                }
                if let copy { try remove(copy) }
                return expected
            }
        }
    }

    private func checkExists() async throws {
        guard try await source.isNew(schemas) else { return }
        throw CommandFailure(.notFound, "no store exists at \(source.location)", advice: "Check --from.")
    }

    /// Creates the target from a copy, unless it exists.
    private func create(_ copier: Copier) async throws {
        guard try await target.isNew(schemas) else { return }
        if !BackupFile.exists(copy) {
            if let folder = copy.lastIndex(of: "/"), folder > copy.startIndex {
                try FileManager.default.createDirectory(
                    atPath: String(copy[..<folder]), withIntermediateDirectories: true)
            }
            _ = try await copier(copy)
        }
        _ = try await BackupFile.progressing("fill") { progress in
            try await target.restore(copy, schemas, replacing: false, progress: progress)
        }
    }

    /// The path of the copy from which the target was filled; `nil` if the target is another store, or the transfer has
    /// ended.
    private func adopt(_ target: any Store) async throws -> String? {
        let adopted = try await "\(copy).\(target.commit(ChangeSet()).token.lifetime.hexadecimal)"
        if BackupFile.exists(adopted) { return adopted }
        guard BackupFile.exists(copy) else { return nil }
        // The target was filled, and the process ended; or it was created by another program meanwhile.
        let backup = try await Backup.verify(copy)
        guard try await digests(of: target, "check target") == backup.entities else { return nil }
        try FileManager.default.moveItem(atPath: copy, toPath: adopted)
        return adopted
    }

    private func write(_ store: any Store, to path: String) async throws -> Backup {
        try await BackupFile.progressing("copy") { try await Backup.write(store, to: path, progress: $0) }
    }

    private func digests(of store: any Store, _ label: String) async throws -> [EntityDigest] {
        try await BackupFile.progressing(label) { try await EntityDigest.all(of: store, progress: $0) }
    }

    private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    private var isForeign: CommandFailure {
        CommandFailure(
            .conflict, "\(target.location) exists already, and differs from \(source.location)",
            advice: "Choose another --to. To start a transfer again, remove its target, and \(copy).* next to it.")
    }
}

extension StoreSettings {
    /// Opens the store for a body, with the sealed values of sealed columns, and closes it.
    fileprivate func opened<Result>(
        _ schemas: SchemaSet, _ body: (any Store) async throws -> Result
    ) async throws -> Result {
        let store: any Store
        do {
            store = try await openBase(stored(schemas))
        } catch PersistencyError.incompatible(let why) {
            throw CommandFailure(
                .storeUnavailable, why,
                advice: "Transfer it with the version of the program that it belongs to, or migrate it first.")
        }
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }
}

extension StoreLocation {
    /// The path of the copy with which a transfer from or to the store starts; `nil` for a store without a path.
    fileprivate var pathOfTransfer: String? {
        switch self {
        case .sqlite(let path): path + ".transfer"
        case .file(let folder): String(folder.reversed().drop { $0 == "/" }.reversed()) + ".transfer"
        case .memory, .postgres, .mirrored, .readOnly: nil
        }
    }
}
