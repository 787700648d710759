internal import LarderApp
internal import LarderDomain
internal import LarderFollowers

/// A follower or recurring work in the list of ``FollowersCommand``.
struct FollowerLine {
    let name: String
    /// `follows`, `failing`, `stopped`, `no handler`, or the last tick of recurring work.
    let state: String
    /// The number of commits to handle, with the age of the first one; of followers only.
    let lag: String
    let setAside: Int?
    let failure: String?
    let json: JSON

    init(_ status: FollowerStatus) {
        (name, setAside, failure) = (status.name, status.setAside, status.failure)
        let working = status.attempts > 0 ? "failing" : "follows"
        state = status.hasHandler ? status.isStopped ? "stopped" : working : "no handler"
        lag = status.position == nil ? "not started" : status.lag.map(String.init) ?? "a gap"
        json = .sorted([
            "name": status.name, "state": state, "lag": status.lag, "oldest": status.oldest,
            "setAside": status.setAside, "attempts": status.attempts, "failure": status.failure,
            "entities": status.entities,
        ])
    }

    init(_ state: RecurringState) {
        (name, self.state, lag, setAside, failure) = (state.name, "last tick \(state.tick)", "", nil, state.failure)
        json = .sorted([
            "name": state.name, "tick": state.tick, "attempts": state.attempts, "failure": state.failure,
        ])
    }
}
