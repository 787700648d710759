import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in the groups of roots.
    static let groups: [Mutation] = [
        adding("groups roots without a text as those with an empty one", "venue") { root, request in
            [root.with(request.keyColumns) { _, value in value == .null ? .text("") : value }]
        },
        adding("groups folded texts by how they are written", "venue") { root, request in
            [
                root.with(request.keyColumns) { index, value in
                    root.schema.columns[index].isDerived ? root.values[index - 1] : value
                }
            ]
        },
        adding("groups roots without an instant by the first day of 1970", "parcel") { root, request in
            [root.with(request.dayColumns) { _, value in value == .null ? .integer(0) : value }]
        },
        adding("groups texts in any case", "book") { root, request in
            [
                root.with(request.keyColumns) { _, value in
                    if case .text(let text) = value { .text(text.lowercased()) } else { value }
                }
            ]
        },
        adding("groups only by the links that the condition names", "book") { root, request in
            var root = root
            for case .links(let list, let id) in request.condition.leaves { root.links[list].removeAll { $0 != id } }
            return [root]
        },
        adding("groups by a list of links once, also where two keys name it", "book") { root, request in
            guard request.keys.count == 2, case .link(let list) = request.keys[0], request.keys[1] == request.keys[0]
            else { return [root] }
            return Set(root.links[list]).map { id in
                var root = root
                root.links[list] = [id]
                return root
            }
        },
        adding("counts a root once for each owned object that satisfies the condition", "book") { root, request in
            for case .anyChild(let list, let inner) in request.condition.leaves {
                return Array(repeating: root, count: root.children[list].count(where: inner.holds))
            }
            return [root]
        },
        adding("takes none for zero where it finds the least and greatest values", "book") { root, request in
            [
                root.with(request.limitedColumns) { index, value in
                    guard value == .null else { return value }
                    switch root.schema.columns[index].type {
                    case .real: return .real(0)
                    case .day: return .text("2000-01-01")
                    default: return .integer(0)
                    }
                }
            ]
        },
        adding("finds the least and greatest reals in single precision", "book") { root, request in
            [
                root.with(request.limitedColumns) { _, value in
                    if case .real(let real) = value { .real(Double(Float(real))) } else { value }
                }
            ]
        },
        replacing("excludes only eight roots") { (request, store) async throws(PersistencyError) in
            let condition = request.condition.mapLeaves { leaf in
                guard case .isIn(.id, let ids) = leaf else { return leaf }
                return .isIn(.id, Set(ids.prefix(8)))
            }
            return try await store.aggregates(
                AggregateRequest(request.schema, where: condition, by: request.keys, of: request.figures))
        },
        replacing("adds the other groups again after a sum has had more than 64 bits") {
            (request, store) async throws(PersistencyError) in
            let (whole, columns) = (try await store.aggregates(request), request.addedColumns.prefix(1))
            if request.keys.isEmpty { return whole }
            // The groups of a first sum with large values.
            var (table, exceeding) = (whole, AggregateTable(request))
            for root in try await store.read(ReadRequest(request.schema, where: request.condition)).items {
                let isLarge = columns.contains { index in
                    if case .integer(let integer) = root.values[index] { integer.magnitude > 1 << 62 } else { false }
                }
                if isLarge { exceeding.add(root) }
            }
            if exceeding.groups.isEmpty { return whole }
            for (keys, figures) in whole.groups where exceeding.groups[keys] == nil { table.add(figures, to: keys) }
            return table
        },
    ]

    /// Adds other roots instead of those of a schema.
    private static func adding(
        _ name: String, _ schema: String,
        _ change: @escaping @Sendable (StorageObject, AggregateRequest) -> [StorageObject]
    ) -> Mutation {
        replacing(name) { (request, store) async throws(PersistencyError) in
            guard request.schema.name == schema else { return try await store.aggregates(request) }
            var table = AggregateTable(request)
            for root in try await store.read(ReadRequest(request.schema, where: request.condition)).items {
                for changed in change(root, request) { table.add(changed) }
            }
            return table
        }
    }

    private static func replacing(
        _ name: String,
        _ figures: @escaping @Sendable (AggregateRequest, MemoryStore) async throws(PersistencyError) -> AggregateTable
    ) -> Mutation {
        Mutation(.queries, name) { $0.figures = figures }
    }
}

extension AggregateRequest {
    fileprivate var keyColumns: [Int] { keys.compactMap { if case .column(let index) = $0 { index } else { nil } } }

    fileprivate var dayColumns: [Int] { keys.compactMap { if case .day(let index) = $0 { index } else { nil } } }

    fileprivate var addedColumns: [Int] { figures.compactMap { if case .sum(let index) = $0 { index } else { nil } } }

    fileprivate var limitedColumns: [Int] {
        figures.compactMap { figure in
            switch figure {
            case .minimum(let index), .maximum(let index): index
            case .count, .sum: nil
            }
        }
    }
}

extension StorageObject {
    fileprivate func with(_ columns: [Int], _ change: (Int, Value) -> Value) -> StorageObject {
        var object = self
        for index in columns { object.values[index] = change(index, values[index]) }
        return object
    }
}
