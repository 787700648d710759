internal import LarderData
internal import LarderDomain

/// Iterates over the candidate roots of a request on the shortest path that the table has: the roots with the values
/// that the condition names, the order of ids, or the order of an index.
struct RootWalk: Sendable {
    /// How much of the requested order the walk provides.
    enum Order {
        /// The walk has the requested order.
        case complete
        /// The groups of roots with equal values of the first term are in order. The order within a group is undefined.
        case groups
        /// The order is undefined.
        case open
    }

    private enum Path {
        case roots(SortedChunks<StorageObject>.Index)
        case entries(ColumnIndex, Range<SortedChunks<ColumnIndex.Entry>.Index>, isDescending: Bool)
        case ids(ArraySlice<RawID>)
    }

    /// The maximum number of roots to look up by the values of a column. Beyond it, the walk follows another path.
    private static let lookupBound = 4096

    let order: Order
    private let table: RootTable
    private var path: Path

    /// - Parameter after: The position after which the walk may start; `nil` for all roots.
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
    /// The index on a column and the one value that the condition requires in it, if any.
    fileprivate func equality(in condition: Condition) -> (ColumnIndex, Value)? {
        switch condition {
        case .compare(.column(let column), .equal, .literal(let value)),
            .compare(.literal(let value), .equal, .column(let column)):
            return index(on: column).map { ($0, value) }
        case .and(let parts): return parts.lazy.compactMap { equality(in: $0) }.first
        default: return nil
        }
    }

    /// The ids of the roots with the values that a condition requires; `nil` if it requires none or finds too many.
    fileprivate func lookup(_ condition: Condition, atMost bound: Int) -> [RawID]? {
        switch condition {
        case .compare(.id, .equal, .literal(.id(let id))), .compare(.literal(.id(let id)), .equal, .id): return [id]
        case .compare(.column(let column), .equal, .literal(let value)),
            .compare(.literal(let value), .equal, .column(let column)):
            return ids([value], column, atMost: bound)
        case .isIn(.id, let values):
            return values.compactMap { if case .id(let id) = $0 { id } else { nil } }
        case .isIn(.column(let column), let values): return ids(values, column, atMost: bound)
        case .anyChild(let list, .contains(.column(let column), let part)):
            guard let start = WordText.Start(part), let index = index(on: column, of: list) else { return nil }
            if start.isWhole { return ids([.text(start.word)], column, of: list, atMost: bound) }
            guard let end = start.word.prefixSuccessor else { return nil }
            let range = index.start(of: .text(start.word))..<index.start(of: .text(end))
            let ids = index.entries[range].prefix(bound + 1).map(\.id)
            return ids.count > bound ? nil : Array(Set(ids))
        case .and(let parts): return parts.lazy.compactMap { lookup($0, atMost: bound) }.first
        default: return nil
        }
    }

    private func ids(_ values: Set<Value>, _ column: Int, of list: Int? = nil, atMost bound: Int) -> [RawID]? {
        guard let index = index(on: column, of: list) else { return nil }
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
