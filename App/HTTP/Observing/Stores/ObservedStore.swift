internal import CoreMetrics
internal import LarderApp
public import LarderData
public import LarderDomain
private import Synchronization

/// Forwards all calls to a store, and measures and logs their outcomes.
///
/// Lines are logged to `Logger.current`, and therefore have the id of their request: a warning for a slow operation, an
/// error for a failure of the store (`unavailable`). They name the operation and the entity, but no values. Operations and
/// transactions are spans of the process's tracer, if there is one.
public final class ObservedStore: StoreDecorator {
    public let base: any Store
    private let metrics: StoreMetrics
    private let slow: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let spans: StoreSpans?
    private let trouble = Mutex<Unavailable?>(nil)

    /// Observes a store.
    ///
    /// - Parameters:
    ///   - base: The store.
    ///   - metrics: The metrics.
    ///   - slow: The duration above which an operation is logged.
    ///   - now: The clock.
    public init(
        _ base: any Store, metrics: StoreMetrics, slow: Duration = .milliseconds(500),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.base = base
        self.metrics = metrics
        self.slow = slow
        self.now = now
        spans = StoreSpans(base)
    }

    /// The reason why the last nonempty commit failed, if it was a lasting failure of the store rather than of the
    /// request, for example a full device. `nil` again after a successful commit.
    public var commitTrouble: Unavailable? { trouble.withLock { $0 } }

    public func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        try await measured(ids.count == 1 ? .read : .readMany, schema.name) { () throws(PersistencyError) in
            try await base.withRows(ids, of: schema, body)
        }
    }

    public func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        let start = now()
        do {
            let answer = try base.lendAtOnce(id, of: schema, to: body)
            if answer != .declined { succeeded(.read, schema.name, since: start) }
            return answer
        } catch {
            failed(.read, schema.name, since: start, error)
            throw error
        }
    }

    public func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try await measured(.query, request.schema.name) { () throws(PersistencyError) in
            try await base.withRows(request, body)
        }
    }

    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await measured(.counts, request.schema.name) { () throws(PersistencyError) in
            try await base.counts(request)
        }
    }

    public func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        try await measured(.counts, request.schema.name) { () throws(PersistencyError) in
            try await base.aggregates(request)
        }
    }

    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        metrics.commitsWaiting.increment()
        defer { metrics.commitsWaiting.decrement() }
        do {
            let isEmpty = changes.isEmpty
            let receipt = try await measured(.commit, changes.entityName, token: { isEmpty ? nil : $0.token }) {
                () throws(PersistencyError) in try await base.commit(changes)
            }
            if !isEmpty { note(nil) }
            return receipt
        } catch {
            switch error {
            case .conflict, .contention: metrics.conflicts.increment()
            case .unavailable(let trouble), .inDoubt(_, let trouble):
                if trouble.reason.outlivesACommit { note(trouble) }
            default: break
            }
            throw error
        }
    }
}

extension ObservedStore: TransactionObserver {
    public func noteUnchangedSaves(_ count: Int) { metrics.unchangedSaves.increment(by: count) }

    public func observing<Result>(_ transaction: () async throws -> Result) async throws -> Result {
        guard let spans else { return try await transaction() }
        return try await spans.spans.span("transaction") { _ in try await transaction() }
    }
}

extension ObservedStore {
    private func note(_ new: Unavailable?) { trouble.withLock { $0 = new } }

    private func measured<Result>(
        _ operation: StoreOperation, _ entity: String, token: (Result) -> ChangeToken? = { _ in nil },
        _ body: () async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        let start = now()
        do {
            let result = try await body()
            succeeded(operation, entity, since: start, at: token(result))
            return result
        } catch {
            failed(operation, entity, since: start, error)
            throw error
        }
    }

    @inline(__always)
    private func succeeded(
        _ operation: StoreOperation, _ entity: String, since start: ContinuousClock.Instant,
        at token: ChangeToken? = nil
    ) {
        let duration = now() - start
        metrics[operation].recordNanoseconds(duration.nanoseconds)
        spans?.note(operation, entity, lasting: duration, at: token)
        if duration > slow { logSlow(operation, entity, duration) }
    }

    private func failed(
        _ operation: StoreOperation, _ entity: String, since start: ContinuousClock.Instant, _ error: PersistencyError
    ) {
        let duration = now() - start
        metrics.noteFailure(operation, lasting: duration, outcome: error.outcome)
        spans?.note(operation, entity, lasting: duration, error)
        switch error {
        case .unavailable(let trouble), .inDoubt(_, let trouble): logFailure(operation, entity, trouble)
        default: if duration > slow { logSlow(operation, entity, duration) }
        }
    }
}

/// The manager itself: it counts unchanged saves by the ``ObservedStore`` under it.
@available(*, deprecated, message: "Omit it: the manager counts unchanged saves by the ObservedStore under it.")
public func ObservedManager(_ base: any PersistencyManager, metrics: StoreMetrics) -> any PersistencyManager { base }

extension ChangeSet {
    /// The entity of the first root that is written or read.
    fileprivate var entityName: String {
        let key = updates.first?.key ?? deletes.first?.key ?? reads.first?.key
        let schema = inserts.first?.schema ?? key?.schema ?? bulk?.schema ?? removals.first?.reference.root
        return schema?.name ?? "none"
    }
}

extension Unavailable.Reason {
    /// Whether the next commit would very likely fail for the same reason.
    fileprivate var outlivesACommit: Bool {
        switch self {
        case .full, .readOnly, .failed: true
        case .busy, .closed, .tooLarge, .unreachable: false
        }
    }
}
