import LarderData
import LarderDomain

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stores of each kind in a folder that is removed at the end of the test, and backups next to them.
final class BackupBench: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case memory, file, sqlite
    }

    private let folder: String
    private let scratch = Scratch()

    init() throws {
        folder = scratch.folder + "/"
        try POSIXFileSystem().makeFolders(folder)
    }

    func path(_ name: String) -> String { folder + name }

    func open(
        _ kind: Kind, _ name: String = "store", schemas: SchemaSet? = nil, migration: MigrationOptions.Mode = .additions
    ) async throws -> any Store {
        let (schemas, migration) = (try schemas ?? Sample.schemas(), MigrationOptions(mode: migration))
        switch kind {
        case .memory: return MemoryStore(schemas)
        case .file:
            return try await FileStore.open(
                .init(path(name), busyTimeout: .zero, migration: migration), schemas: schemas)
        case .sqlite:
            return try await SQLiteStore.open(
                .init(.file(path(name)), durability: .off, busyTimeout: .zero, migration: migration), schemas: schemas)
        }
    }

    /// Restores a backup into a new store of a kind, and opens it.
    func restored(
        _ kind: Kind, _ backup: String, _ name: String = "restored", schemas: SchemaSet? = nil,
        migration: MigrationOptions.Mode = .additions
    ) async throws -> any Store {
        let schemas = try schemas ?? Sample.schemas()
        if kind == .memory { return try await MemoryStore.restored(from: path(backup), schemas: schemas) }
        try await restore(kind, backup, name, schemas: schemas)
        return try await open(kind, name, schemas: schemas, migration: migration)
    }

    @discardableResult
    func restore(
        _ kind: Kind, _ backup: String, _ name: String = "restored", schemas: SchemaSet? = nil, replacing: Bool = false
    ) async throws -> Backup {
        let schemas = try schemas ?? Sample.schemas()
        switch kind {
        case .memory:
            try await MemoryStore.restored(from: path(backup), schemas: schemas).close()
            return try await Backup.verify(path(backup))
        case .file:
            return try await FileStore.restore(
                path(backup), toFolder: path(name), schemas: schemas, replacing: replacing)
        case .sqlite:
            return try await SQLiteStore.restore(
                path(backup), to: path(name), schemas: schemas, replacing: replacing)
        }
    }

    /// The files in a folder, by path below it; without the text of lock files.
    func files(_ name: String = "") throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: path(name)) where !file.hasSuffix(".lock") {
            let file = name.isEmpty ? file : name + "/" + file
            if try POSIXFileSystem().status(path(file))?.isFile == true {
                found[file] = try bytes(file)
            } else if (try? POSIXFileSystem().status(path(file) + "/")) != nil {
                found.merge(try files(file)) { first, _ in first }
            }
        }
        return found
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Copies a store with all of its files.
    func copy(_ name: String, to other: String) throws {
        for suffix in ["", "-wal", "-shm"] where exists(name + suffix) {
            try FileManager.default.copyItem(atPath: path(name + suffix), toPath: path(other + suffix))
        }
    }

    func bytes(_ name: String) throws -> [UInt8] {
        let file = try POSIXFile(reading: path(name))
        return try file.read(file.size(), at: 0)
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        if try POSIXFileSystem().status(path(name)) != nil { try POSIXFileSystem().remove(path(name)) }
        try POSIXFileSystem().create(path(name)).writeAll(bytes, at: 0, path: path(name))
    }
}

extension BackupBench {
    /// Books with versions, pages, notes, links and covers; a shelf with extreme values.
    ///
    /// - Parameter label: A text, for stores that refuse U+0000.
    static func fill(_ store: any Store, label: String = "a\u{0}b") async throws {
        let cover = StorageObject(
            schema: Sample.cover, id: Sample.id(500),
            values: [.blob([UInt8](repeating: 7, count: 3000)), .text("Cover")])
        let shelf = StorageObject(
            schema: Sample.shelf, id: Sample.id(600),
            values: [
                .integer(.min), .integer(.max), .real(-.greatestFiniteMagnitude), .text(label), .text(""),
                .blob([]),
                .integer(1), .null, .integer(-1),
            ])
        try await store.insert(cover, Sample.tag(1, "a"), Sample.tag(2, "b"), shelf)
        for number in 10..<40 {
            // A sequel follows its book in the order of ids, and precedes it.
            try await store.insert(
                Sample.book(
                    number, "Book \(number)", year: 1900, code: "c\(number)", cover: number % 3 == 0 ? 500 : nil,
                    pages: [Sample.page(1000 + number, "p", notes: [Sample.note(2000 + number, "n")], tags: [2, 1])],
                    tags: [1], sequels: number > 10 ? [number - 1] : []))
        }
        try await store.replace(
            Sample.book(10, "Book 10", year: 1901, code: nil, tags: [2, 1], sequels: [39, 10]))
        try await store.replace(Sample.book(10, "Book 10", year: 1902, code: nil, tags: [2, 1], sequels: [39, 10]))
        _ = try await store.commit(ChangeSet(deletes: [Sample.book(39).expecting(1)], removals: removals(of: 39)))
    }

    private static func removals(of book: Int) -> [ReferenceRemoval] {
        Sample.book.references.filter { $0.target == "book" }.map { ReferenceRemoval(of: Sample.id(book), from: $0) }
    }
}

extension [UInt8] {
    /// Consecutive intact records.
    var records: [[UInt8]] {
        var (records, place) = ([[UInt8]](), 0)
        while let frame = RecordFrame(self, at: place, available: count - place) {
            records.append(Array(self[place..<place + frame.size]))
            place += frame.size
        }
        return records
    }

    /// The first record with a correct checksum, and with another number.
    func sealed(number: UInt64? = nil) -> [UInt8] {
        guard let frame = RecordFrame(self, at: 0, available: count) else { return self }
        var record = Array(self[..<frame.size])
        RecordFrame(kind: frame.kind, length: frame.length, number: number ?? frame.number, salt: frame.salt)
            .write(to: &record)
        return record + self[frame.size...]
    }
}

/// The description of the error that an action throws.
func refusal(_ work: () async throws -> Void) async -> String? {
    do {
        try await work()
        return nil
    } catch {
        return "\(error)"
    }
}
