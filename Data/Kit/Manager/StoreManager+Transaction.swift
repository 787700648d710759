public import LarderDomain

extension StoreManager: PersistencyManager {
    /// Always `false`.
    public var isInTransaction: Bool { false }

    @discardableResult
    public func transaction<Result>(
        _ body: (any PersistencyManager) async throws -> Result
    ) async throws -> Result {
        try await run { manager in try await body(manager) }
    }

    /// A transaction whose body throws only the kit's errors.
    func typedTransaction<Result>(
        _ body: (TransactionManager) async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        do {
            return try await run(body)
        } catch {
            throw error as? PersistencyError
                ?? .unavailable(Unavailable(.failed, "a transaction ended with \(error)", cause: error))
        }
    }

    private func run<Result>(_ body: (TransactionManager) async throws -> Result) async throws -> Result {
        if let running {
            return try await TransactionManager(unit: running.unit, mappers: mappers, nested: running.nested).join(body)
        }
        guard let observer else { return try await begin(body) }
        return try await observer.observing { try await begin(body) }
    }

    private func begin<Result>(_ body: (TransactionManager) async throws -> Result) async throws -> Result {
        var unit = UnitOfWork(store)
        do {
            let interruption: any Error = PersistencyError.cancelled
            return try await retry.repeating(interruption: interruption, while: { _ in unit.isLost }) { attempt in
                if attempt > 1 { unit = UnitOfWork(store) }
                let result = try await within(unit, body)
                try await unit.commit()
                noteUnchangedSaves(unit.locked(\.unchangedSaves))
                return result
            }
        } catch {
            throw unit.isLost ? try await complete(error, of: unit) : error
        }
    }

    /// Runs the body with its unit, and then closes the unit, so that its manager cannot be used any more.
    private func within<Result>(
        _ unit: UnitOfWork, _ body: (TransactionManager) async throws -> Result
    ) async throws -> Result {
        defer { unit.close() }
        return try await RunningUnits.enter(TransactionManager(unit: unit, mappers: mappers), body)
    }

    /// Adds to a conflict the entities of its versions, which the store cannot map.
    private func complete(_ error: any Error, of unit: UnitOfWork) async throws -> any Error {
        guard case PersistencyError.conflict(var conflict) = error,
            let schema = store.schemas[conflict.reference.entity]
        else { return error }
        let root = unit.tracked[EntityKey(schema, conflict.reference.id)]
        conflict.base = try root?.base.map(mappers.entity)
        conflict.mine = root?.isTouched == true ? try root?.current.map(mappers.entity) : nil
        conflict.theirs = try await theirs(of: conflict, schema: schema)
        return PersistencyError.conflict(conflict)
    }
}
