public import LarderDomain

/// A named reader of a store's changes, whose position is in the store, so that no change is lost when a process ends.
///
/// A handler receives each commit that changes some of the named entities, in commit order, with only these changes. It does
/// not receive the commits that it makes itself. A commit that changes entities without naming them is one element, after
/// which the handler reads them again; see `CommittedChanges/staleEntities`.
///
/// ```swift
/// let counts = Follower.storing("loans_by_month", changesOf: [Loan.entityName]) { changes, unit in
///     for entry in changes.entries where entry.kind == .inserted { try await LoanCounts(unit).add(entry) }
/// }
/// ```
public struct Follower: Sendable {
    /// Handles a commit.
    public typealias Handler = @Sendable (CommittedChanges, any PersistencyManager) async throws -> Void

    /// The place of a handler's effects, which determines how often they happen.
    enum Effect: Sendable {
        case storing(Handler)
        case calling(Handler)
    }

    /// The answer to a gap: the journal does not retain the follower's next commits any more.
    public enum Restart: Sendable {
        /// It stops until an operator resets it.
        case stop
        /// The closure reads all entities again, for example in a stream; then the follower continues after the missing
        /// commits. A failed closure runs again as a failed handler does, and stops the follower after the last attempt.
        /// `atStart` calls it for a new follower, too, and for one with other entities than the stored ones. Otherwise, a new
        /// one starts after the last commit, and other entities are refused.
        case again(atStart: Bool, @Sendable (any PersistencyManager) async throws -> Void)
    }

    /// The identity of the follower in the store: renaming it makes another follower.
    public let name: String
    /// The names of the entities, sorted.
    public let entities: [String]
    let effect: Effect
    /// The answer to missing commits.
    public var restart = Restart.stop
    /// The attempts, and the size of a batch.
    public var policy = FollowerPolicy()

    private init(_ name: String, _ entities: [String], _ effect: Effect) {
        (self.name, self.entities, self.effect) = (name, entities.sorted(), effect)
    }

    /// A follower whose effects are writes to the same store: they happen exactly once, because one commit has them and the
    /// new position. The handler must use only the manager that it receives. It may run again before the commit.
    public static func storing(
        _ name: String, changesOf entities: [String], _ handler: @escaping Handler
    ) -> Follower { Follower(name, entities, .storing(handler)) }

    /// A follower whose effects are outside of the store: they happen at least once. After the process was killed, the
    /// handler receives the commits of the last batch again.
    public static func calling(
        _ name: String, changesOf entities: [String], _ handler: @escaping Handler
    ) -> Follower { Follower(name, entities, .calling(handler)) }

    /// The same follower; the closure receives each commit, and runs the handler: for spans, for example.
    public func observed(
        _ observe: @escaping @Sendable (CommittedChanges, () async throws -> Void) async throws -> Void
    ) -> Follower {
        let observing = { (handler: @escaping Handler) -> Handler in
            { changes, manager in try await observe(changes) { try await handler(changes, manager) } }
        }
        var effect: Effect {
            switch self.effect {
            case .storing(let handler): .storing(observing(handler))
            case .calling(let handler): .calling(observing(handler))
            }
        }
        var follower = Follower(name, entities, effect)
        (follower.restart, follower.policy) = (restart, policy)
        return follower
    }
}

/// The attempts at a commit, and the size of a batch.
public struct FollowerPolicy: Sendable {
    /// The treatment of a commit after its last failed attempt.
    public enum LastFailure: Sendable {
        /// The commit is set aside, and the follower continues with the next one. An operator can retry it.
        case setAside
        /// The follower stops until an operator retries or skips the commit.
        case stop
    }

    /// The maximum number of attempts at one commit, at least 1.
    public var attempts = 10
    /// The pause after the first failed attempt; it doubles after each further one.
    public var firstPause = Duration.seconds(1)
    /// The upper limit of the pauses.
    public var longestPause = Duration.seconds(300)
    /// The treatment of a commit after its last failed attempt.
    public var lastFailure = LastFailure.setAside
    /// The maximum number of commits in a batch, which moves the position once.
    public var batch = 100
    /// The pause after a batch, in which commits gather: a follower with one second costs at most one commit a second. No pause
    /// follows a full batch. The default limits the cost that an idle follower adds to each commit.
    public var interval = Duration.milliseconds(20)
    /// The time after which another process may take over from one that has ended. Only stores with several writing processes
    /// have it.
    public var lease = Duration.seconds(15)

    /// Ten attempts, with pauses from one second to five minutes; then the commit is set aside.
    public init() {}

    func pause(after attempts: Int) -> Duration {
        min(longestPause, firstPause * (1 << min(attempts - 1, 20)))
    }
}

extension Follower.Restart {
    /// Whether a new follower reads all entities.
    var isAtStart: Bool {
        if case .again(atStart: true, _) = self { true } else { false }
    }
}
