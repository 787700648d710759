internal import LarderData
internal import LarderDomain

/// A stored state that one run at a time changes.
protocol LeasedState: Entity {
    /// The run that may change the state; `nil` if none does.
    var holder: RawID? { get set }
}

/// The end of a holder's right to its state. Separate from the state, so that its renewals do not invalidate a commit of it.
struct WorkLease: Entity {
    let id: EntityID<WorkLease>
    var until: Timestamp
}

/// Stores leases.
enum WorkLeaseMapper: EntityMapper {
    static let mapping = Mapping<WorkLease>("work_lease", id: \.id, [.column("until", \.until)])

    static func entity(from row: inout ObjectReader) throws -> WorkLease {
        try WorkLease(id: row.id(), until: row.next())
    }
}

/// Runs work until its task is cancelled, while it has the lease.
///
/// The stored state is the fence. Each change of it requires that it is as this run has left it; otherwise another process
/// has taken over, or an operator has changed it, and the run begins again with the stored state.
struct LeasedRun<State: LeasedState>: Sendable {
    let name: String
    let id: EntityID<State>
    let lease: Duration
    let parts: FollowerParts
    let holder: RawID

    init(_ name: String, _ id: EntityID<State>, lease: Duration, _ parts: FollowerParts) {
        (self.name, self.id, self.lease, self.parts, holder) = (name, id, lease, parts, parts.ids.next())
    }

    /// - Parameters:
    ///   - new: The state of work that was never run.
    ///   - prepare: Returns a stored state as the program continues it, or refuses it.
    ///   - work: Does the work from a state on.
    ///   - end: Completes the state when the task is cancelled.
    /// - Throws: ``FollowerError``.
    func run(
        new: @Sendable () async throws -> State, prepare: @escaping @Sendable (State) throws -> State,
        work: @escaping @Sendable (State) async throws -> Void,
        end: @escaping @Sendable (inout State) async -> Void
    ) async throws {
        var (pause, last) = (FollowerParts.firstPause, State?.none)
        while !Task.isCancelled {
            var began: ContinuousClock.Instant?
            do {
                guard let state = try await acquire(new(), prepare) else {
                    try await parts.clock.sleep(lease / 3)
                    continue
                }
                if state != last { pause = FollowerParts.firstPause }
                (last, began) = (state, .now)
                try await whileLeased { try await work(state) }
                try await parts.clock.sleep(FollowerParts.firstPause)
            } catch let error as FollowerError {
                throw error
            } catch is Superseded {
                continue
            } catch PersistencyError.unavailable(let trouble) where trouble.reason == .closed {
                return
            } catch {
                if Task.isCancelled { break }
                // Work that lasted longer than the pause is progress, too.
                if let began, began.duration(to: .now) > pause { pause = FollowerParts.firstPause }
                // Once until there is progress.
                if pause == FollowerParts.firstPause { parts.report(.interrupted(name, error)) }
                try? await parts.clock.sleep(pause)
                pause = min(pause * 2, FollowerParts.longestPause)
            }
        }
        // A cancelled task commits nothing.
        await Task { await release(end) }.value
    }

    /// Takes the state over, unless another run has the lease; stores a new one.
    private func acquire(
        _ new: State, _ prepare: @Sendable (State) throws -> State
    ) async throws -> State? {
        try await parts.manager.transaction { unit in
            let stored = try await unit.read(id)?.entity
            var state = try stored.map(prepare) ?? new
            if parts.hasLeases {
                let (now, leaseID) = (parts.clock.now(), EntityID<WorkLease>(id.rawValue))
                let until = try await unit.read(leaseID)?.entity.until ?? now
                // A lease that ends too late was written before a clock was set back.
                let isHeld = now < until && until < now.adding(lease * 2)
                if isHeld, let holder = stored?.holder, holder != self.holder { return nil }
                try await unit.save(WorkLease(id: leaseID, until: now.adding(lease)))
            }
            state.holder = holder
            return try await unit.save(state).stored.entity
        }
    }

    private func whileLeased(_ work: @escaping @Sendable () async throws -> Void) async throws {
        guard parts.hasLeases else { return try await work() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask { try await renew() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Renews the lease until it is lost.
    private func renew() async throws {
        while true {
            try await parts.clock.sleep(lease / 3)
            try await parts.manager.transaction { unit in
                guard try await unit.read(id)?.entity.holder == holder else { throw Superseded() }
                try await unit.save(WorkLease(id: EntityID(id.rawValue), until: parts.clock.now().adding(lease)))
            }
        }
    }

    /// Changes the stored state, in one commit with the writes of the body.
    ///
    /// - Throws: ``Superseded`` if the stored state is not the expected one.
    func change(
        _ expected: State, _ body: (any PersistencyManager, inout State) async throws -> Void
    ) async throws -> State {
        try await parts.manager.transaction { unit in
            guard var state = try await unit.read(id)?.entity, state == expected else { throw Superseded() }
            try await body(unit, &state)
            return try await unit.update(state).stored.entity
        }
    }

    private func release(_ end: @Sendable (inout State) async -> Void) async {
        try? await parts.manager.transaction { unit in
            guard var state = try await unit.read(id)?.entity, state.holder == holder else { return }
            state.holder = nil
            await end(&state)
            try await unit.update(state)
        }
    }
}

/// The stored state differs from that of the run.
struct Superseded: Error {}

extension Error {
    /// Whether the error is none of a handler's: the store is not available, or another process has taken over.
    var isInterruption: Bool {
        if Task.isCancelled || self is Superseded || self is CancellationError { return true }
        guard let error = self as? PersistencyError else { return false }
        switch error {
        case .unavailable(let trouble): return trouble.reason != .tooLarge
        case .cancelled, .inDoubt, .contention: return true
        default: return false
        }
    }

    /// The start of the description, without U+0000, for the state.
    var text: String { String("\(self)".replacing("\0", with: "").prefix(1000)) }
}
