import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import LarderStoreContract

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

typealias Member = MirroredStore.Member

extension StoreFixture {
    /// Opens a member of a mirrored store in a folder.
    typealias Opening = @Sendable (SchemaSet, _ folder: String) async throws -> any Store

    static let memory: Opening = { schemas, _ in MemoryStore(schemas) }
    static let file: Opening = { schemas, folder in
        try await FileStore.open(.init("\(folder)/log"), schemas: schemas)
    }
    static let sqlite: Opening = { schemas, folder in
        try await SQLiteStore.open(.init(.file("\(folder)/db.sqlite"), durability: .normal), schemas: schemas)
    }

    /// A primary and a mirror that has each commit before it is acknowledged.
    static func mirrored(
        _ name: String, _ primary: @escaping Opening, _ mirror: @escaping Opening, required: Int = 1,
        wrap: @escaping @Sendable (MirroredStore) -> any Store = { $0 }
    ) -> StoreFixture {
        let root = FileManager.default.temporaryDirectory.appending(path: "larder-mirrors").path
        return StoreFixture(name) { schemas, scratch in
            let members = try MirroredStore.schemas(of: schemas)
            let mirror = Member("mirror", try await mirror(members, "\(root)/\(scratch)/mirror"))
            let primary = Member("primary", try await primary(members, "\(root)/\(scratch)/primary"))
            return wrap(
                try await MirroredStore.open(schemas, primary: primary, mirrors: [mirror], required: required))
        } copy: { scratch, other in
            try FileManager.default.copyItem(atPath: "\(root)/\(scratch)", toPath: "\(root)/\(other)")
        } discard: { scratch in
            try? FileManager.default.removeItem(atPath: "\(root)/\(scratch)")
        }
    }
}

extension Store {
    /// All roots with their versions, except records of mirrors.
    func contents() async throws -> [EntityKey: StorageObject] {
        var found: [EntityKey: StorageObject] = [:]
        for schema in schemas.roots where schema.name != "larder_mirror" {
            let page = try await read(ReadRequest(schema, content: .complete))
            for root in page.items { found[root.key] = root }
        }
        return found
    }
}

/// The first difference between two contents, versions included.
func difference(
    _ one: [EntityKey: StorageObject], _ other: [EntityKey: StorageObject]
) -> String? {
    for key in Set(one.keys).union(other.keys) where one[key] != other[key] || one[key]?.version != other[key]?.version
    {
        let versions = [one[key]?.version, other[key]?.version].map { $0.map(String.init) ?? "absent" }
        return "\(key.reference): version \(versions[0]) instead of \(versions[1]), or other values"
    }
    return nil
}

/// A member that outlives the mirrored store, and whose calls can fail.
final class Unstable: StoreDecorator {
    let base: any Store
    let faults: Faults

    init(_ base: any Store, _ faults: Faults = Faults()) {
        (self.base, self.faults) = (base, faults)
    }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        try await faults.read(schema)
        try await base.withRows(ids, of: schema, body)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        try await faults.read(request.schema)
        return try await base.withRows(request, body)
    }

    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await faults.read(request.schema)
        return try await base.counts(request)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        if changes.isEmpty { return try await base.commit(changes) }
        let fault = try await faults.commit()
        if fault == .doubtful {
            faults.note(absent: changes.id)
            throw .inDoubt(changes.id, Unavailable(.failed, "no answer"))
        }
        let receipt = try await base.commit(changes)
        if fault == .afterwards { throw .inDoubt(changes.id, Unavailable(.failed, "no answer")) }
        return receipt
    }

    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        faults.isAbsent(id) ? .absent : try await base.outcome(of: id)
    }

    func close() async {}
}
