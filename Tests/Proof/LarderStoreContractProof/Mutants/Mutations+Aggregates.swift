import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in figures of groups.
    static let aggregates: [Mutation] = [
        changing("has no group of no roots") { keys, figures in
            keys.isEmpty && figures.contains(.count(0)) ? nil : (keys, figures)
        },
        changing("adds in 64 bits") { keys, figures in
            (
                keys,
                figures.map { figure in
                    guard case .sum(let sum, let count) = figure else { return figure }
                    return .sum(Int128(Int64(truncatingIfNeeded: sum)), count: count)
                }
            )
        },
        changing("adds reals instead of integers") { keys, figures in
            (
                keys,
                figures.map { figure in
                    guard case .sum(let sum, let count) = figure else { return figure }
                    return .sum(Int128(Double(sum)), count: count)
                }
            )
        },
        changing("counts none among the values of a sum") { keys, figures in
            guard case .count(let all)? = figures.first else { return (keys, figures) }
            return (
                keys, figures.map { if case .sum(let sum, _) = $0 { .sum(sum, count: all) } else { $0 } }
            )
        },
        changing("finds no greatest value") { keys, figures in
            guard case .extreme? = figures.last else { return (keys, figures) }
            return (keys, figures.dropLast() + [.extreme(.null)])
        },
        changing("omits the group of length 0") { keys, figures in keys == [.integer(0)] ? nil : (keys, figures) },
        Mutation(.queries, "groups instants before 1970 by the day after") {
            $0.figures = { (request, store) async throws(PersistencyError) in
                var table = AggregateTable(request)
                for (keys, figures) in try await store.aggregates(request).groups {
                    let days = zip(request.keys, keys).map { key, value -> Value in
                        guard case .day = key, case .integer(let day) = value, day < 0 else { return value }
                        return .integer(day + 1)
                    }
                    table.add(figures, to: days)
                }
                return table
            }
        },
        asking("adds a root once for each of two links to the same root", with: { request in request }, twice: true),
        asking("ignores the negations of a condition") { request in
            AggregateRequest(
                request.schema, where: request.condition.withoutNegations, by: request.keys, of: request.figures)
        },
        asking("ignores a third key") { request in
            guard request.keys.count == 3 else { return request }
            return AggregateRequest(
                request.schema, where: request.condition, by: Array(request.keys[..<2]) + [request.keys[0]],
                of: request.figures)
        },
    ]

    private static func changing(
        _ name: String,
        _ change: @escaping @Sendable ([Value], [AggregateValue]) -> (keys: [Value], figures: [AggregateValue])?
    ) -> Mutation {
        Mutation(.queries, name) {
            $0.figures = { (request, store) async throws(PersistencyError) in
                // Without a key, an empty table has the group that a mutation may omit.
                let key = request.keys.isEmpty ? [AggregateRequest.Key.column(0)] : request.keys
                var table = AggregateTable(
                    AggregateRequest(request.schema, where: request.condition, by: key, of: request.figures))
                for (keys, figures) in try await store.aggregates(request).groups {
                    if let changed = change(keys, figures) { table.add(changed.figures, to: changed.keys) }
                }
                return table
            }
        }
    }

    private static func asking(
        _ name: String, with change: @escaping @Sendable (AggregateRequest) -> AggregateRequest, twice: Bool = false
    ) -> Mutation {
        Mutation(.queries, name) {
            $0.figures = { (request, store) async throws(PersistencyError) in
                let changed = change(request)
                let table = try await store.aggregates(changed)
                guard twice, case .link(let list)? = request.keys.first else { return table }
                var repeated = table
                for root in try await store.read(ReadRequest(request.schema, where: request.condition)).items
                where Set(root.links[list]).count < root.links[list].count {
                    repeated.add(root)
                }
                return repeated
            }
        }
    }
}

extension Condition {
    fileprivate var withoutNegations: Condition {
        switch self {
        case .not: .always(true)
        case .and(let parts): .and(parts.map(\.withoutNegations))
        default: self
        }
    }
}
