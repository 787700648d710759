internal import LarderData
internal import LarderDomain

/// Runs one follower until its task is cancelled: acquires the lease, and handles the commits in order.
///
/// The stored state is the fence. Each change of it requires that it is as this run has left it; otherwise another process
/// has taken over, or an operator has changed it, and the run begins again with what is stored.
actor FollowerRun {
    /// The stored state differs from that of the run.
    struct Superseded: Error {}

    let follower: Follower
    let parts: FollowerParts
    let id: EntityID<FollowerState>
    private let holder: RawID
    private(set) var state: FollowerState
    /// The last handled commit, which may be later than the stored position.
    var handled: ChangeToken?

    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(10)

    init(_ follower: Follower, _ parts: FollowerParts) {
        (self.follower, self.parts) = (follower, parts)
        (id, holder, state) = (FollowerState.id(of: follower.name), parts.ids.next(), FollowerState(follower))
    }

    /// - Throws: ``FollowerError/otherEntities(name:stored:declared:)``.
    func run() async throws {
        var pause = Self.firstPause
        while !Task.isCancelled {
            let start = handled
            do {
                guard try await acquire(), !state.isStopped else {
                    try await parts.clock.sleep(follower.policy.lease / 3)
                    continue
                }
                try await followWhileLeased()
                // The stream has ended: the store is closed, or the connection to its server is lost.
                try await parts.clock.sleep(Self.firstPause)
            } catch let error as FollowerError {
                throw error
            } catch is Superseded {
                continue
            } catch PersistencyError.unavailable(let trouble) where trouble.reason == .closed {
                return
            } catch {
                if Task.isCancelled { break }
                if handled != start { pause = Self.firstPause }
                // Once until a commit is handled.
                if pause == Self.firstPause { parts.report(.interrupted(follower: follower.name, error: error)) }
                try? await parts.clock.sleep(pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
        // A cancelled task commits nothing.
        await Task { try? await change { state in state.holder = nil } }.value
    }

    // MARK: The lease

    /// Takes the follower over, unless another process runs it; stores a new follower.
    private func acquire() async throws -> Bool {
        let position = try await parts.position()
        let taken = try await parts.manager.transaction { [follower, holder, id, parts] unit -> FollowerState? in
            let now = parts.clock.now()
            guard var state = try await unit.read(id)?.entity else {
                var state = FollowerState(follower)
                state.holder = holder
                if !follower.restart.isAtStart { state.position = position }
                if parts.hasLeases { try await unit.save(parts.lease(follower, from: now)) }
                return try await unit.create(state).entity
            }
            guard state.entities == follower.entities else {
                throw FollowerError.otherEntities(
                    name: follower.name, stored: state.entities, declared: follower.entities)
            }
            if parts.hasLeases {
                let lease = try await unit.read(FollowerLease.id(of: follower.name))?.entity
                // A lease that ends too late was written before a clock was set back.
                let isHeld = lease.map { now < $0.until && $0.until < now.adding(follower.policy.lease * 2) } ?? false
                if isHeld, state.holder != nil, state.holder != holder { return nil }
                try await unit.save(parts.lease(follower, from: now))
            }
            state.holder = holder
            return try await unit.update(state).stored.entity
        }
        guard let taken else { return false }
        (state, handled) = (taken, taken.position)
        return true
    }

    /// Follows until the lease is lost, and renews it meanwhile.
    private func followWhileLeased() async throws {
        guard parts.hasLeases else { return try await follow() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow() }
            group.addTask { try await self.renewLease() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Renews the lease until it is lost. It is no part of the state, so that renewals do not invalidate a batch.
    private nonisolated func renewLease() async throws {
        while true {
            try await parts.clock.sleep(follower.policy.lease / 3)
            try await parts.manager.transaction { [follower, parts, holder, id] unit in
                guard try await unit.read(id)?.entity.holder == holder else { throw Superseded() }
                try await unit.save(parts.lease(follower, from: parts.clock.now()))
            }
        }
    }

    // MARK: The stored state

    /// Changes the stored state, in one commit with what the body writes, and moves the position to the last handled commit.
    ///
    /// - Throws: ``Superseded`` if the stored state is not that of this run.
    func change(
        movingTo token: ChangeToken? = nil, _ body: (any PersistencyManager, inout FollowerState) async throws -> Void
    ) async throws {
        let (expected, id, position) = (state, id, token ?? handled)
        state = try await parts.manager.transaction { unit in
            guard var state = try await unit.read(id)?.entity, state == expected else { throw Superseded() }
            state.position = position
            try await body(unit, &state)
            return try await unit.update(state).stored.entity
        }
        handled = position
    }

    func change(_ body: (inout FollowerState) -> Void) async throws {
        try await change { _, state in body(&state) }
    }

    func move(to token: ChangeToken) async throws {
        try await change(movingTo: token) { _, state in state.clearFailure() }
    }

    /// Stops until an operator intervenes.
    func stop(_ reason: String) async throws -> Superseded {
        try await change { state in (state.isStopped, state.failure) = (true, String(reason.prefix(1000))) }
        parts.report(.stopped(follower: follower.name, reason: reason))
        return Superseded()
    }
}
