import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure

/// A root with all kinds of sealed columns.
struct Patient: Entity {
    let id: EntityID<Patient>
    var name = "Ada"
    var email: String?
    var weight: Double?
    var visits: [Visit] = []
}

/// An object that a patient owns.
struct Visit: Entity {
    let id: EntityID<Visit>
    var finding: String
}

enum PatientMapper: EntityMapper {
    static let mapping = Mapping<Patient>(
        "patient", id: \.id,
        [
            .column("name", \.name, sealed: .content), .column("email", \.email, sealed: .equality).unique,
            .column("weight", \.weight, sealed: .content), .children("visits", \.visits, VisitMapper.self),
        ])

    static func entity(from row: inout ObjectReader) throws -> Patient {
        try Patient(
            id: row.id(), name: row.next(), email: row.next(), weight: row.next(),
            visits: row.children(VisitMapper.self))
    }
}

enum VisitMapper: EntityMapper {
    static let mapping = Mapping<Visit>("visit", id: \.id, [.column("finding", \.finding, sealed: .content)])

    static func entity(from row: inout ObjectReader) throws -> Visit {
        try Visit(id: row.id(), finding: row.next())
    }
}

/// A sealed store of patients over a memory store, and managers over both.
struct Clinic {
    let base: MemoryStore
    let store: SealedStore
    let manager: StoreManager

    static let mappers: [any EntityMapper.Type] = [PatientMapper.self]

    init(_ keys: SealingKeys? = nil) async throws {
        let mappers = try MapperSet(Self.mappers)
        let keys = try keys ?? .fake()
        let base = MemoryStore(try mappers.schemas.sealedForm(keys))
        try await self.init(base, keys, mappers)
    }

    /// Opens a store over a copy of the base, with other keys.
    ///
    /// - Parameter change: Changes the objects of the base.
    func copied(_ keys: SealingKeys, change: (StorageObject) -> StorageObject = { $0 }) async throws -> Clinic {
        let copy = MemoryStore(base.schemas)
        var content = ChangeSet()
        content.keepsVersions = true
        for schema in base.schemas.roots {
            content.inserts += try await base.read(ReadRequest(schema)).items.map(change)
        }
        _ = try await copy.commit(content)
        return try await Clinic(copy, keys, MapperSet(Self.mappers))
    }

    private init(_ base: MemoryStore, _ keys: SealingKeys, _ mappers: MapperSet) async throws {
        self.base = base
        store = try await SealedStore.open(mappers.schemas, keys: keys) { _ in base }
        manager = StoreManager(store, mappers: mappers)
    }

    /// The patients as the base has them.
    var stored: [StorageObject] {
        get async throws {
            guard let schema = base.schemas["patient"] else { return [] }
            return try await base.read(ReadRequest(schema)).items
        }
    }
}
