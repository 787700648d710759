internal import CoreMetrics
internal import LarderApp
public import LarderData
public import LarderDomain
private import Synchronization

/// Hands everything on to a store, and measures and logs what becomes of it.
///
/// Lines go to `Logger.current`, and so carry the id of the request that they are about: a warning for what took long,
/// an error for what the store could not do (`unavailable`). They name the operation and the entity, no values.
public final class ObservedStore: StoreDecorator {
    public let base: any Store
    private let metrics: StoreMetrics
    private let slow: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let trouble = Mutex<Unavailable?>(nil)

    /// Observes a store.
    ///
    /// - Parameters:
    ///   - base: The store.
    ///   - metrics: What is measured.
    ///   - slow: What takes longer is logged.
    ///   - now: The clock.
    public init(
        _ base: any Store, metrics: StoreMetrics, slow: Duration = .milliseconds(500),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.base = base
        self.metrics = metrics
        self.slow = slow
        self.now = now
    }

    /// Why the last commit that was worth one could not be made, if it was for the store and not for what it was asked:
    /// a full device, say. `nil` again after one that was made.
    public var commitTrouble: Unavailable? { trouble.withLock { $0 } }

    public func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let start = now()
        let operation = ids.count == 1 ? StoreOperation.read : .readMany
        do {
            try await base.withRows(ids, of: schema, body)
            succeeded(operation, schema.name, since: start)
        } catch {
            failed(operation, schema.name, since: start, error)
            throw error
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
        let start = now()
        do {
            let end = try await base.withRows(request, body)
            succeeded(.query, request.schema.name, since: start)
            return end
        } catch {
            failed(.query, request.schema.name, since: start, error)
            throw error
        }
    }

    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        let start = now()
        do {
            let found = try await base.counts(request)
            succeeded(.counts, request.schema.name, since: start)
            return found
        } catch {
            failed(.counts, request.schema.name, since: start, error)
            throw error
        }
    }

    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let start = now()
        metrics.commitsWaiting.increment()
        defer { metrics.commitsWaiting.decrement() }
        do {
            let receipt = try await base.commit(changes)
            succeeded(.commit, changes.entityName, since: start)
            if !changes.isEmpty { note(nil) }
            return receipt
        } catch {
            failed(.commit, changes.entityName, since: start, error)
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

extension ObservedStore {
    private func note(_ new: Unavailable?) { trouble.withLock { $0 = new } }

    @inline(__always)
    private func succeeded(
        _ operation: StoreOperation, _ entity: @autoclosure () -> String, since start: ContinuousClock.Instant
    ) {
        let duration = now() - start
        let handlers = metrics[operation]
        handlers.successes.increment()
        handlers.duration.recordNanoseconds(duration.nanoseconds)
        if duration > slow { logSlow(operation, entity(), duration) }
    }

    private func failed(
        _ operation: StoreOperation, _ entity: String, since start: ContinuousClock.Instant, _ error: PersistencyError
    ) {
        let duration = now() - start
        metrics.noteFailure(operation, outcome: error.outcome)
        metrics[operation].duration.recordNanoseconds(duration.nanoseconds)
        switch error {
        case .unavailable(let trouble), .inDoubt(_, let trouble): logFailure(operation, entity, trouble)
        default: if duration > slow { logSlow(operation, entity, duration) }
        }
    }
}

extension ChangeSet {
    /// The entity of the first root that it writes, or read.
    fileprivate var entityName: String {
        let key = updates.first?.key ?? deletes.first?.key ?? reads.first?.key
        return (inserts.first?.schema ?? key?.schema ?? removals.first?.reference.root)?.name ?? "none"
    }
}

extension Unavailable.Reason {
    /// Whether another commit would very likely meet it too.
    fileprivate var outlivesACommit: Bool {
        switch self {
        case .full, .readOnly, .failed: true
        case .busy, .closed, .tooLarge: false
        }
    }
}
