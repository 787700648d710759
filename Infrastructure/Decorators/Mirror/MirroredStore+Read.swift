public import LarderData
public import LarderDomain
private import Synchronization

// A mirror answers if the primary has failed before it lent a row, and the mirror has all commits. Otherwise, the answer
// could lack an acknowledged commit, or one that another reader has seen in the primary.
extension MirroredStore {
    public func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let started = Atomic(false)
        do {
            try await base.withRows(ids, of: schema) { (rows) throws(PersistencyError) in
                started.store(true, ordering: .relaxed)
                try body(&rows)
            }
        } catch {
            guard !started.load(ordering: .relaxed), error.isFailure, let mirror = currentMirror else { throw error }
            try await mirror.withRows(ids, of: schema, body)
        }
    }

    public func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        var isStarted = false
        do {
            return try base.lendAtOnce(id, of: schema) { (rows) throws(PersistencyError) in
                isStarted = true
                try body(&rows)
            }
        } catch {
            // The caller calls `withRows`, which can wait for a mirror.
            guard !isStarted, error.isFailure else { throw error }
            return .declined
        }
    }

    public func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        let started = Atomic(false)
        do {
            return try await base.withRows(request) { (rows) throws(PersistencyError) in
                started.store(true, ordering: .relaxed)
                try body(&rows)
            }
        } catch {
            guard !started.load(ordering: .relaxed), error.isFailure,
                let mirror = try mirror(for: request.consistency)
            else { throw error }
            var request = request
            // Tokens of the primary mean nothing in the mirror.
            request.consistency = ReadConsistency()
            return try await mirror.withRows(request, body)
        }
    }

    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        do {
            return try await base.counts(request)
        } catch {
            guard error.isFailure, let mirror = try mirror(for: request.consistency) else { throw error }
            return try await mirror.counts(
                CountRequest(request.schema, where: request.condition, by: request.key))
        }
    }

    public func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        do {
            return try await base.aggregates(request)
        } catch {
            guard error.isFailure, let mirror = try mirror(for: request.consistency) else { throw error }
            return try await mirror.aggregates(
                AggregateRequest(request.schema, where: request.condition, by: request.keys, of: request.figures))
        }
    }

    private var currentMirror: (any Store)? { followers.first(where: \.isCurrent)?.mirror.store }

    private func mirror(for consistency: ReadConsistency) throws(PersistencyError) -> (any Store)? {
        if let token = consistency.token, token.lifetime != lifetime {
            throw .unsupportedQuery("a token of another lifetime of the store")
        }
        if let current = currentMirror { return current }
        guard consistency.preference == .replica else { return nil }
        let position = consistency.token?.position ?? 0
        return followers.first { $0.status.trouble == nil && $0.status.position >= position }?.mirror.store
    }
}

extension PersistencyError {
    /// Whether the store has failed, in contrast to a refusal of the request.
    fileprivate var isFailure: Bool {
        guard case .unavailable(let why) = self else { return false }
        return [.busy, .failed, .full, .unreachable].contains(why.reason)
    }
}
