import LarderData
import LarderDomain
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects that queries over owned objects and links must detect.
    static let relationships: [Mutation] = [
        asking("takes any link for the requested one") { condition in
            guard case .links(let relationship, _) = condition else { return condition }
            return .compare(.linkCount(relationship), .greater, .literal(.integer(0)))
        },
        asking("takes any owned object for one that satisfies the condition") { condition in
            guard case .anyChild(let relationship, _) = condition else { return condition }
            return .compare(.childCount(relationship), .greater, .literal(.integer(0)))
        },
        asking("counts owned objects where it should count links") { condition in
            condition.mapOperands { if case .linkCount(let index) = $0 { .childCount(index) } else { $0 } }
        },
        Mutation(.queries, "does not count roots without owned objects") {
            $0.counts = { $0.filter { $0.key != .integer(0) } }
        },
        Mutation(.queries, "counts an id without references to it") {
            $0.counts = { $0.merging([.id(RawID(high: 1, low: 1)): 1]) { count, _ in count } }
        },
        Mutation(
            [.queries, .storeLife, .transactions, .cancellation, .lifecycle], "finds a blank one with every query"
        ) {
            $0.result = { request, result in
                let blank = StorageObject.blank(request.schema, RawID(high: 1, low: 1))
                return ReadResult(items: result.items + [blank], next: result.next, total: result.total)
            }
        },
    ]
}

extension StorageObject {
    /// An empty object.
    static func blank(_ schema: EntitySchema, _ id: RawID) -> StorageObject {
        let values = schema.columns.map { column -> Value in
            if column.isNullable { return .null }
            return switch column.type {
            case .integer, .boolean, .timestamp: .integer(0)
            case .real: .real(0)
            case .text: .text("")
            case .day: .text("2000-01-01")
            case .blob: .blob([])
            case .id: .id(id)
            }
        }
        return StorageObject(
            schema: schema, id: id, version: 1, values: values, children: schema.children.map { _ in [] },
            links: schema.links.map { _ in [] })
    }
}
