internal import LarderData
internal import LarderDomain

/// The roots of one schema in the order of ids, with an index on each of the schema's indexed columns.
///
/// A snapshot is a copy of the table, in O(1); see ``SortedChunks``.
struct RootTable: Sendable {
    private(set) var roots = SortedChunks<StorageObject>()
    private var indexes: [ColumnIndex]

    init(indexing columns: [Int] = []) {
        indexes = columns.map(ColumnIndex.init)
    }

    var chunks: [[StorageObject]] { roots.chunks }

    var count: Int { roots.count }

    /// - Complexity: O(log *n*).
    subscript(id: RawID) -> StorageObject? { roots[id] }

    /// The roots with the given ids, each once, in any order.
    ///
    /// - Complexity: O(*m* log *n*) for *m* ids.
    func objects(_ ids: [RawID]) -> [StorageObject] {
        ids.count == 1 ? ids.compactMap { self[$0] } : Set(ids).compactMap { self[$0] }
    }

    func index(on column: Int) -> ColumnIndex? { indexes.first { $0.column == column } }

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

extension StorageObject: SortedElement {
    var key: RawID { id }
}
