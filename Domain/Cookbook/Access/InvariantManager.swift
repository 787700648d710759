#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// A manager that enforces the invariant that spans several entities and that no schema declares: the only admin cannot be
/// demoted or deleted. Every ``CookbookStorage`` uses it, so it applies to every use case, route, and command.
///
/// The check and the change are one transaction that reads another admin, so two admins who demote each other
/// concurrently conflict, and one of them is refused.
struct InvariantManager: ManagerDecorator {
    let base: any PersistencyManager

    /// Wraps a manager and the managers of its transactions.
    init(_ base: any PersistencyManager) {
        self.base = base
    }

    func decorating(_ manager: any PersistencyManager) -> any PersistencyManager { InvariantManager(manager) }

    func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        try await base.read(id)
    }

    @discardableResult
    func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E> {
        guard let user = entity as? User, user.role != .admin else {
            return try await base.update(entity, expecting: version)
        }
        return try await keepingAnAdmin(without: user.id) { manager throws(PersistencyError) in
            try await manager.update(entity, expecting: version)
        }
    }

    @discardableResult
    func change<E: Entity>(_ id: EntityID<E>, _ body: (inout E) throws -> Void) async throws -> Saved<E> {
        // The invariant concerns users, which the default updates by this manager.
        if E.self == User.self { return try await change(id, retry: RetryPolicy(), body) }
        return try await base.change(id, body)
    }

    /// Refused for users, whose roles it might change.
    @discardableResult
    func update<E: Entity>(
        matching query: Query<E>, _ update: BulkUpdate<E>
    ) async throws(PersistencyError) -> Int {
        if E.self == User.self { throw .unsupportedQuery("an update of users by query") }
        return try await base.update(matching: query, update)
    }

    @discardableResult
    func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        guard let user = entity as? User, user.role != .admin else { return try await base.save(entity) }
        return try await keepingAnAdmin(without: user.id) { manager throws(PersistencyError) in
            try await manager.save(entity)
        }
    }

    func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        guard E.self == User.self else { return try await base.delete(id, expecting: version) }
        try await keepingAnAdmin(without: EntityID(id.rawValue)) { manager throws(PersistencyError) in
            try await manager.delete(id, expecting: version)
        }
    }

    /// Makes a change that removes a user from the admins, if another admin remains.
    private func keepingAnAdmin<Result>(
        without id: EntityID<User>, _ change: (any PersistencyManager) async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        guard !isInTransaction else {
            try await requireAdmin(without: id, in: base)
            return try await change(base)
        }
        do {
            return try await base.transaction { manager in
                try await requireAdmin(without: id, in: manager)
                return try await change(manager)
            }
        } catch let error as PersistencyError {
            throw error
        } catch {
            throw .unavailable(Unavailable(.failed, "a transaction ended with \(error)", cause: error))
        }
    }

    /// Requires another admin if a user is an admin.
    private func requireAdmin(
        without id: EntityID<User>, in manager: any PersistencyManager
    ) async throws(PersistencyError) {
        guard try await manager.read(id)?.role == .admin else { return }
        let admin = Role.admin.rawValue
        // Two suffice: at least one of them is another admin.
        let admins = try await manager.read(Query<User>(#Predicate { $0.roleText == admin }, limit: 2))
        guard !admins.items.contains(where: { $0.id != id }) else { return }
        throw .refused(by: Refusal(target: EntityReference(id), column: "role", rule: "is the only admin"))
    }
}
