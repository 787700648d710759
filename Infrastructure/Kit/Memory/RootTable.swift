internal import LarderData
internal import LarderDomain

/// The roots of one schema in the order of ids, with an index on each of the schema's indexed columns.
///
/// A snapshot is a copy of the table, in O(1); see ``SortedChunks``.
struct RootTable: Sendable {
    private(set) var roots = SortedChunks<StorageObject>()
    private var indexes: [ColumnIndex]

    init(_ indexes: [ColumnIndex] = []) {
        self.indexes = indexes
    }

    var count: Int { roots.count }

    /// - Complexity: O(log *n*).
    subscript(id: RawID) -> StorageObject? { roots[id] }

    /// The roots with the given ids, each once, in any order.
    ///
    /// - Complexity: O(*m* log *n*) for *m* ids.
    func objects(_ ids: [RawID]) -> [StorageObject] {
        ids.count == 1 ? ids.compactMap { self[$0] } : Set(ids).compactMap { self[$0] }
    }

    func index(on column: Int, of list: Int? = nil) -> ColumnIndex? {
        indexes.first { $0.column == column && $0.list == list }
    }

    /// Inserts a root, or replaces the one with the same id.
    mutating func put(_ object: StorageObject) {
        let old = roots.put(object)
        for index in indexes.indices { indexes[index].replace(old, by: object) }
    }

    mutating func remove(_ id: RawID) {
        guard let old = roots.remove(id) else { return }
        for index in indexes.indices { indexes[index].replace(old, by: nil) }
    }
}

/// The tables of all root schemas.
struct RootTables: ObjectTable {
    /// By the names of the schemas; a copy is a snapshot.
    private(set) var byName: [String: RootTable]

    init(_ schemas: SchemaSet) {
        byName = Dictionary(
            uniqueKeysWithValues: schemas.roots.map { ($0.name, RootTable($0.columnIndexes)) })
    }

    /// - Throws: `unknownEntity` for a schema that is not a root schema of the store.
    func table(of schema: EntitySchema) throws(PersistencyError) -> RootTable {
        guard let table = byName[schema.name] else { throw .unknownEntity(schema.name) }
        return table
    }

    subscript(key: EntityKey) -> StorageObject? {
        get { byName[key.schema.name]?[key.id] }
        set {
            if let newValue {
                byName[key.schema.name]?.put(newValue)
            } else {
                byName[key.schema.name]?.remove(key.id)
            }
        }
    }
}

extension StorageObject: SortedElement {
    var key: RawID { id }
}

/// The state of a store in memory.
typealias StoreState = ObjectState<RootTables>

extension StoreState {
    init(schemas: SchemaSet, sequence: Int64 = 0) {
        self.init(schemas: schemas, table: RootTables(schemas), sequence: sequence)
    }
}

extension StoreState {
    /// A change set with an update of each root that its bulk update changes, and their number.
    func namingBulk(_ changes: ChangeSet) throws(PersistencyError) -> (ChangeSet, count: Int) {
        guard let schema = changes.bulk?.schema else { return (changes, 0) }
        try changes.check(against: schemas, allowsBulk: true)
        let named = try changes.namingBulk(try table.table(of: schema).roots)
        return (named, named.updates.count - changes.updates.count)
    }

    /// The last commit that all readers of the journal have read, by their stored positions.
    ///
    /// - Complexity: O(*n*) for *n* readers.
    func readCommit(lifetime: UInt64) -> Int64 {
        let positions = schemas.journalReaders.flatMap { schema -> [String] in
            guard let column = schema.journalColumn, let table = try? table.table(of: schema) else { return [] }
            return table.roots.compactMap { if case .text(let text) = $0.values[column] { text } else { nil } }
        }
        return JournalBounds.read(positions, lifetime: lifetime)
    }
}
