import LarderDomain

/// A way to write many entities in one commit through Larder. The other sides have only one.
struct BulkMethod: Sendable {
    let name: String
    let target: Double
    let insert: @Sendable ([Dish], any PersistencyManager) async throws -> Void

    static let all = [
        BulkMethod(name: "batch", target: 1.15) { dishes, manager in try await manager.create(contentsOf: dishes) },
        BulkMethod(name: "single creates", target: 1.6) { dishes, manager in
            try await manager.transaction { unit in for dish in dishes { try await unit.create(dish) } }
        },
    ]
}
