public import LarderData
public import LarderDomain

/// The followers and the recurring work of a program, over one store.
///
/// A store with one writing process runs them in this process. Of several processes, each follower runs in the one that has
/// its lease; another one takes over at the latest ``FollowerPolicy/lease`` after that process has ended.
public struct Followers: Sendable {
    /// The mappers of the followers' states, for the manager and the schemas of the store.
    public static var mappers: [any EntityMapper.Type] {
        [FollowerStateMapper.self, SetAsideChangesMapper.self, RecurringStateMapper.self, WorkLeaseMapper.self]
    }

    let followers: [Follower]
    private let recurring: [RecurringWork]
    let parts: FollowerParts

    /// - Parameters:
    ///   - followers: The followers, with distinct names.
    ///   - recurring: The recurring work, with distinct names.
    ///   - store: The store that they follow.
    ///   - manager: A manager of this store without access policies, with ``mappers`` among its own.
    ///   - clock: The clock of leases and pauses.
    ///   - report: Receives notices for logs and metrics.
    /// - Throws: ``FollowerError/repeatedName(_:)``; ``FollowerError/missingMappers``.
    public init(
        _ followers: [Follower], recurring: [RecurringWork] = [], store: any Store, manager: any PersistencyManager,
        clock: FollowerClock = FollowerClock(), report: @escaping @Sendable (FollowerNotice) -> Void = { _ in }
    ) throws(FollowerError) {
        for names in [followers.map(\.name), recurring.map(\.name)] {
            var seen: Set<String> = []
            for name in names where !seen.insert(name).inserted { throw .repeatedName(name) }
        }
        guard store.schemas[FollowerStateMapper.schema.name] != nil else { throw .missingMappers }
        (self.followers, self.recurring) = (followers, recurring)
        parts = FollowerParts(store: store, manager: manager, clock: clock, report: report)
    }

    /// Runs all followers and the recurring work until the task is cancelled or the store is closed. A commit that is being handled is discarded.
    ///
    /// - Throws: ``FollowerError/otherEntities(name:stored:declared:)``.
    public func run() async throws {
        try await withThrowingTaskGroup { group in
            for follower in followers {
                let run = FollowerRun(follower, parts)
                group.addTask { try await run.run() }
            }
            for work in recurring {
                let run = RecurringRun(work, parts)
                group.addTask { try await run.run() }
            }
            try await group.waitForAll()
        }
    }
}
