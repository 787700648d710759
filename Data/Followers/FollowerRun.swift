internal import LarderData
internal import LarderDomain

/// Runs one follower: handles the commits in order.
actor FollowerRun {
    let follower: Follower
    let parts: FollowerParts
    private let leased: LeasedRun<FollowerState>
    private(set) var state: FollowerState
    /// The last handled commit, which may be later than the stored position.
    var handled: ChangeToken?

    init(_ follower: Follower, _ parts: FollowerParts) {
        (self.follower, self.parts, state) = (follower, parts, FollowerState(follower))
        leased = LeasedRun(
            follower.name, FollowerState.id(of: follower.name), lease: follower.policy.lease, parts)
    }

    /// Runs until the task is cancelled.
    ///
    /// - Throws: ``FollowerError/otherEntities(name:stored:declared:)``.
    nonisolated func run() async throws {
        try await leased.run(
            new: { [follower, parts] in
                var state = FollowerState(follower)
                if !follower.restart.isAtStart { state.position = try await parts.position() }
                return state
            },
            prepare: { [follower] state in
                if state.entities == follower.entities { return state }
                // It reads the new ones, too.
                if follower.restart.isAtStart { return FollowerState(follower) }
                throw FollowerError.otherEntities(
                    name: follower.name, stored: state.entities, declared: follower.entities)
            },
            work: { state in try await self.work(from: state) },
            end: { state in
                // Unless another process has moved it.
                if state.position == (await self.state.position) { state.position = await self.handled }
            })
    }

    private func work(from stored: FollowerState) async throws {
        (state, handled) = (stored, stored.position)
        // A stopped follower waits for an operator, who changes the state.
        if stored.isStopped { return try await parts.clock.sleep(follower.policy.lease / 3) }
        try await follow()
    }

    /// Changes the stored state, in one commit with the writes of the body, and moves the position to the last handled commit.
    ///
    /// - Throws: ``Superseded`` if the stored state is not that of this run.
    func change(
        movingTo token: ChangeToken? = nil, _ body: (any PersistencyManager, inout FollowerState) async throws -> Void
    ) async throws {
        let position = token ?? handled
        state = try await leased.change(state) { unit, state in
            state.position = position
            try await body(unit, &state)
        }
        handled = position
    }

    func move(to token: ChangeToken) async throws {
        try await change(movingTo: token) { _, state in state.clearFailure() }
    }

    /// Stops until an operator intervenes.
    func stop(_ reason: String) async throws -> Superseded {
        try await change { _, state in (state.isStopped, state.failure) = (true, reason) }
        parts.report(.stopped(follower.name, reason: reason))
        return Superseded()
    }
}
