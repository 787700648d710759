public import LarderDomain

/// An event of a run, for logs and metrics. The first value is the name of the follower or of the recurring work. A failure is
/// reported once, not for each attempt.
public enum FollowerNotice: Sendable {
    /// The first attempt at a commit or tick has failed.
    case failed(String, any Error)
    /// A commit was set aside after its last attempt.
    case setAside(String, at: ChangeToken, any Error)
    /// The follower has stopped, and waits for an operator.
    case stopped(String, reason: String)
    /// The store is not available; the run continues when it is.
    case interrupted(String, any Error)
    /// Commits were handled, up to a position.
    case handled(String, commits: Int, upTo: ChangeToken)
    /// The work of a tick was done.
    case done(String, tick: Timestamp)
}

/// The errors of followers.
public enum FollowerError: Error, Sendable, Equatable {
    /// Two followers, or two kinds of recurring work, of a program have the same name.
    case repeatedName(String)
    /// The stored follower of this name follows other entities. Reset it, or choose another name.
    case otherEntities(name: String, stored: [String], declared: [String])
    /// No follower has this name; the others are listed.
    case unknown(String, known: [String])
    /// The program has no handler for the stored follower.
    case noHandler(String)
    /// The store has no schema for the states: its mappers lack ``Followers/mappers``.
    case missingMappers
}

extension FollowerError: CustomStringConvertible {
    /// The problem and what to do.
    public var description: String {
        switch self {
        case .repeatedName(let name): "the name '\(name)' is not unique; rename one of the two"
        case .otherEntities(let name, let stored, let declared):
            "follower '\(name)' is stored with the entities \(stored.joined(separator: ", ")), not "
                + "\(declared.joined(separator: ", ")); reset it, or rename it"
        case .unknown(let name, let known):
            "no follower has the name '\(name)'; the followers are \(known.sorted().joined(separator: ", "))"
        case .missingMappers: "the store has no schemas of followers; add Followers.mappers to its mappers"
        case .noHandler(let name): "this program has no handler for the follower '\(name)'"
        }
    }
}

/// The clock of a run. Tests replace it.
public struct FollowerClock: Sendable {
    let now: @Sendable () -> Timestamp
    let sleep: @Sendable (Duration) async throws -> Void

    /// By default, the system's clocks.
    public init(
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.now, self.sleep) = (now, sleep)
    }
}
