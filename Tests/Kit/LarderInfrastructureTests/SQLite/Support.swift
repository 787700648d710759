import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Small schemas: a book with pages (which have notes), tags, a cover and a series; a shelf with every type of column.
enum Sample {
    static let tag = EntitySchema(
        name: "tag", columns: [Column(name: "name", type: .text)], uniques: [[0]])
    static let cover = EntitySchema(
        name: "cover", columns: [Column(name: "bytes", type: .blob), Column(name: "title", type: .text)], indexes: [[1]]
    )
    static let note = EntitySchema(name: "note", columns: [Column(name: "text", type: .text)])
    static let page = EntitySchema(
        name: "page",
        columns: [
            Column(name: "text", type: .text),
            Column(
                name: "cover", type: .id, isNullable: true, reference: Reference(target: "cover", onDelete: .remove)),
        ],
        children: [ChildRelationship(name: "notes", schema: note)],
        links: [LinkRelationship(name: "tags", target: "tag", onDelete: .remove)])
    static let book = EntitySchema(
        name: "book",
        columns: [
            Column(name: "title", type: .text),
            Column(name: "year", type: .integer, isNullable: true),
            Column(name: "code", type: .text, isNullable: true),
            Column(
                name: "cover", type: .id, isNullable: true, reference: Reference(target: "cover", onDelete: .remove)),
        ],
        children: [ChildRelationship(name: "pages", schema: page)],
        links: [
            LinkRelationship(name: "tags", target: "tag", onDelete: .remove),
            LinkRelationship(name: "sequels", target: "book", onDelete: .remove),
        ],
        uniques: [[2]], indexes: [[0], [1]])
    static let shelf = EntitySchema(
        name: "shelf",
        columns: [
            Column(name: "number", type: .integer, isNullable: true),
            Column(name: "other", type: .integer, isNullable: true),
            Column(name: "weight", type: .real, isNullable: true),
            Column(name: "label", type: .text, isNullable: true),
            Column(name: "name", type: .text),
            Column(name: "bytes", type: .blob, isNullable: true),
            Column(name: "open", type: .boolean),
            Column(name: "built", type: .day, isNullable: true),
            Column(name: "seen", type: .timestamp),
        ])

    static func schemas() throws -> SchemaSet { try SchemaSet([tag, cover, book, shelf]) }

    static func id(_ number: Int) -> RawID { RawID(high: 0x0190, low: UInt64(number)) }

    static func tag(_ number: Int, _ name: String) -> StorageObject {
        StorageObject(schema: tag, id: id(number), values: [.text(name)])
    }

    static func book(
        _ number: Int, _ title: String = "Book", year: Int64? = nil, code: String? = nil, cover: Int? = nil,
        pages: [StorageObject] = [], tags: [Int] = [], sequels: [Int] = []
    ) -> StorageObject {
        StorageObject(
            schema: book, id: id(number),
            values: [
                .text(title), year.map(Value.integer) ?? .null, code.map(Value.text) ?? .null,
                cover.map { .id(id($0)) } ?? .null,
            ],
            children: [pages], links: [tags.map(id), sequels.map(id)])
    }

    static func page(_ number: Int, _ text: String, notes: [StorageObject] = [], tags: [Int] = []) -> StorageObject {
        StorageObject(
            schema: page, id: id(number), values: [.text(text), .null], children: [notes], links: [tags.map(id)])
    }

    static func note(_ number: Int, _ text: String) -> StorageObject {
        StorageObject(schema: note, id: id(number), values: [.text(text)])
    }
}

/// A folder that is removed at the end of the test.
final class Scratch: Sendable {
    let folder: String

    init() {
        folder = (ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp") + "/larder-tests-\(UUID().uuidString)"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var path: String { folder + "/db.sqlite" }

    func open(
        _ durability: SQLiteStore.Durability = .normal, access: SQLiteStore.Access = .readWrite,
        busyTimeout: Duration = .seconds(5), schemas: SchemaSet? = nil
    ) async throws -> SQLiteStore {
        try await SQLiteStore.open(
            .init(.file(path), access: access, durability: durability, busyTimeout: busyTimeout),
            schemas: schemas ?? Sample.schemas())
    }

    func bytes(_ suffix: String = "") -> Data? { FileManager.default.contents(atPath: path + suffix) }
}

extension Store {
    @discardableResult
    func insert(_ objects: StorageObject...) async throws(PersistencyError) -> CommitReceipt {
        try await commit(ChangeSet(inserts: objects))
    }

    /// Updates a stored root to this value.
    @discardableResult
    func replace(_ object: StorageObject) async throws(PersistencyError) -> CommitReceipt {
        guard let old = try await read(object.id, of: object.schema) else { throw .notFound(object.reference) }
        return try await commit(ChangeSet(updates: [object.update(from: old)]))
    }
}

extension StorageObject {
    func update(from old: StorageObject) -> RootUpdate {
        RootUpdate(EntityKey(schema, id), expected: old.version, changes: ObjectChanges(from: old, to: self))
    }

    func expecting(_ version: Int64?) -> RootExpectation { RootExpectation(EntityKey(schema, id), version: version) }
}

/// The error that an action throws.
func failure(_ work: () async throws(PersistencyError) -> Void) async -> PersistencyError? {
    do {
        try await work()
        return nil
    } catch {
        return error
    }
}

extension PersistencyError {
    /// The error's case and its distinguishing details, as text.
    var summary: String {
        switch self {
        case .conflict(let conflict):
            "conflict \(conflict.reference.entity) \(conflict.reference.id.low) "
                + "\(conflict.expected.map(String.init) ?? "nil") \(conflict.found.map(String.init) ?? "nil")"
        case .duplicate(let duplicate):
            "duplicate \(duplicate.entity) \(duplicate.columns.joined(separator: "+")) \(duplicate.existing.low)"
        case .dangling(let dangling): "dangling \(dangling.entity).\(dangling.column) \(dangling.id.low)"
        case .invalid(let field): "invalid \(field.entity).\(field.field) \(field.reason)"
        case .unavailable(let trouble): "unavailable \(trouble.reason)"
        case .inDoubt(_, let trouble): "in doubt \(trouble.reason)"
        case .incompatible: "incompatible"
        case .alreadyOpen: "alreadyOpen"
        case .unsupportedQuery: "unsupportedQuery"
        case .unknownEntity(let name): "unknown \(name)"
        case .cancelled: "cancelled"
        default: "\(self)"
        }
    }
}

extension PersistencyError {
    /// The reason why a passphrase did not open a store, if it is the cause.
    var passphraseError: PassphraseError? {
        if case .unavailable(let trouble) = self { trouble.cause as? PassphraseError } else { nil }
    }
}
