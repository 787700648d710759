internal import LarderData
internal import LarderDomain

/// The ids of a table's roots, ordered by the values of one column, or by the words of a search, then by id.
struct ColumnIndex: Sendable {
    struct Entry: SortedElement, Comparable {
        let value: Value
        let id: RawID

        var key: Entry { self }

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            lhs.value == rhs.value ? lhs.id < rhs.id : Value.precedes(lhs.value, rhs.value)
        }
    }

    /// The list with the words; `nil` for a column of the root.
    var list: Int?
    let column: Int
    private(set) var entries = SortedChunks<Entry>()

    /// Updates the index for the change of one root; `nil` is an absent root.
    mutating func replace(_ old: StorageObject?, by new: StorageObject?) {
        if let list { return replace(in: list, old, by: new) }
        let (before, after) = (old?.values[column], new?.values[column])
        guard before != after else { return }
        if let old, let before { entries.remove(Entry(value: before, id: old.id)) }
        if let new, let after { entries.put(Entry(value: after, id: new.id)) }
    }

    private mutating func replace(in list: Int, _ old: StorageObject?, by new: StorageObject?) {
        func values(_ root: StorageObject?) -> Set<Value> {
            Set(
                root.map { $0.children[list].flatMap { WordText($0.values[column]).words.map { .text(String($0)) } } }
                    ?? [])
        }
        let (before, after) = (values(old), values(new))
        if let old { for value in before.subtracting(after) { entries.remove(Entry(value: value, id: old.id)) } }
        if let new { for value in after.subtracting(before) { entries.put(Entry(value: value, id: new.id)) } }
    }

    /// The entries with a value, or only the ones after an id.
    ///
    /// - Complexity: O(log *n*).
    func range(of value: Value, after id: RawID?) -> Range<SortedChunks<Entry>.Index> {
        let end = end(of: value)
        guard let id else { return start(of: value)..<end }
        let last = Entry(value: value, id: id)
        return entries.firstIndex(fromWhere: { last < $0 })..<end
    }

    func start(of value: Value) -> SortedChunks<Entry>.Index {
        entries.firstIndex(fromWhere: { !Value.precedes($0.value, value) })
    }

    func end(of value: Value) -> SortedChunks<Entry>.Index {
        entries.firstIndex(fromWhere: { Value.precedes(value, $0.value) })
    }
}

extension EntitySchema {
    /// The columns that start a search or an order: the first of each index and of each unique group.
    var indexedColumns: [Int] { Set((indexes + uniques).compactMap(\.first)).sorted() }

    /// Empty indexes of the columns, and of the words of a search.
    var columnIndexes: [ColumnIndex] {
        indexedColumns.map { ColumnIndex(column: $0) }
            + children.indices.filter { children[$0].schema.isDerived }.map { ColumnIndex(list: $0, column: 0) }
    }
}
