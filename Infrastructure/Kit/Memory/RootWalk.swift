internal import LarderData
internal import LarderDomain

/// The roots that may answer a request, one after the other, on the shortest of the paths that a table has: the roots with
/// the values that the condition names, the order of ids, or the order of an index.
struct RootWalk: Sendable {
    /// How far the walk already has the order of the request.
    enum Order {
        /// Each root comes after the ones before it.
        case complete
        /// Roots come in groups: those with one value of the first term together. Within a group the order is open.
        case groups
        /// The order is open.
        case open
    }

    private enum Path {
        case roots(SortedChunks<StorageObject>.Index)
        case entries(ColumnIndex, Range<SortedChunks<ColumnIndex.Entry>.Index>, isDescending: Bool)
        case ids(ArraySlice<RawID>)
    }

    /// More roots than this are not looked up one by one if the table has an order to offer instead.
    private static let lookupBound = 4096

    let order: Order
    private let table: RootTable
    private var path: Path

    /// Chooses the path.
    ///
    /// - Parameter after: The place behind which the walk may begin; `nil` for all roots.
    init(_ table: RootTable, where condition: Condition, order terms: [OrderTerm] = [], after: Place? = nil) {
        self.table = table
        let isByID = terms.first.map { $0 == OrderTerm(.id) } ?? true
        if isByID, let (index, value) = table.equality(in: condition) {
            let range = index.range(of: value, after: after?.id)
            (order, path) = (.complete, .entries(index, range, isDescending: false))
        } else if let ids = table.lookup(condition, atMost: Self.lookupBound) {
            (order, path) = (.open, .ids(ids[...]))
        } else if isByID {
            let first = after.map { place in table.roots.firstIndex(fromWhere: { $0.id > place.id }) }
            (order, path) = (.complete, .roots(first ?? table.roots.startIndex))
        } else if let term = terms.first, case .column(let column) = term.operand, let index = table.index(on: column) {
            let (all, value) = (index.entries, after?.values.first)
            let range =
                term.isDescending
                ? all.startIndex..<(value.map(index.end) ?? all.endIndex)
                : (value.map(index.start) ?? all.startIndex)..<all.endIndex
            (order, path) = (.groups, .entries(index, range, isDescending: term.isDescending))
        } else {
            (order, path) = (.open, .roots(table.roots.startIndex))
        }
    }

    mutating func next() -> StorageObject? {
        switch path {
        case .roots(let index):
            guard index < table.roots.endIndex else { return nil }
            path = .roots(table.roots.index(after: index))
            return table.roots[index]
        case .entries(let index, let range, let isDescending):
            guard !range.isEmpty else { return nil }
            let entries = index.entries
            let found = isDescending ? entries.index(before: range.upperBound) : range.lowerBound
            let rest = isDescending ? range.lowerBound..<found : entries.index(after: found)..<range.upperBound
            path = .entries(index, rest, isDescending: isDescending)
            return table[entries[found].id]
        case .ids(var ids):
            while let id = ids.popFirst() {
                path = .ids(ids)
                if let root = table[id] { return root }
            }
            return nil
        }
    }
}

extension RootTable {
    /// The index and the one value that a condition demands of each root, if it does.
    fileprivate func equality(in condition: Condition) -> (ColumnIndex, Value)? {
        switch condition {
        case .compare(.column(let column), .equal, .literal(let value)),
            .compare(.literal(let value), .equal, .column(let column)):
            return index(on: column).map { ($0, value) }
        case .and(let parts):
            for part in parts {
                if let found = equality(in: part) { return found }
            }
            return nil
        default: return nil
        }
    }

    /// The ids of the roots with the values that a condition demands; `nil` if it demands none or they are too many.
    fileprivate func lookup(_ condition: Condition, atMost bound: Int) -> [RawID]? {
        switch condition {
        case .compare(.id, .equal, .literal(.id(let id))), .compare(.literal(.id(let id)), .equal, .id): return [id]
        case .compare(.column(let column), .equal, .literal(let value)),
            .compare(.literal(let value), .equal, .column(let column)):
            return ids([value], column, atMost: bound)
        case .isIn(.id, let values):
            return values.compactMap { if case .id(let id) = $0 { id } else { nil } }
        case .isIn(.column(let column), let values): return ids(values, column, atMost: bound)
        case .and(let parts):
            for part in parts {
                if let found = lookup(part, atMost: bound) { return found }
            }
            return nil
        default: return nil
        }
    }

    private func ids(_ values: Set<Value>, _ column: Int, atMost bound: Int) -> [RawID]? {
        guard let index = index(on: column) else { return nil }
        var ids: [RawID] = []
        for value in values {
            for entry in index.entries[index.range(of: value, after: nil)] {
                guard ids.count < bound else { return nil }
                ids.append(entry.id)
            }
        }
        return ids
    }
}
