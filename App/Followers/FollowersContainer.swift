internal import LarderApp
internal import LarderData
internal import LarderDomain
public import LarderFollowers
public import LarderHTTP
public import ServiceLifecycle

/// The composition root of a service with followers, for its run and for ``FollowersCommand``.
///
/// The service's mappers include `Followers.mappers`.
public protocol FollowersContainer: TaskContainer {
    /// The followers of the service. Their handlers receive a manager without access policies.
    func followers(of api: API) throws -> [Follower]

    /// The recurring work of the service; by default none. The deletion of expired data is added, in place of `PurgeService`.
    func recurringWork(of api: API) throws -> [RecurringWork]
}

extension FollowersContainer {
    public func recurringWork(of api: API) -> [RecurringWork] { [] }

    /// Runs the followers and the recurring work.
    public func tasks(of service: RunningService<API>) throws -> [any Service] {
        let observer = FollowerObserver(
            journal: service.settings.store.journal ?? JournalBounds(), metrics: service.metrics,
            logger: service.logger)
        let followers = try followers(of: service.api, over: service.layers, report: observer.note)
        return [FollowersService(followers: followers, observer: observer)]
    }

    func followers(
        of api: API, over layers: ServiceLayers, report: @escaping @Sendable (FollowerNotice) -> Void = { _ in }
    ) throws -> Followers {
        var followers = try followers(of: api)
        if let spans = Spans() {
            followers = followers.map { follower in
                follower.observed { try await spans.following(follower.name, $0.token, $1) }
            }
        }
        return try Followers(
            followers, recurring: api.purges.map(RecurringWork.purging) + recurringWork(of: api),
            store: layers.store, manager: layers.manager, report: report)
    }
}

extension RecurringWork {
    /// Deletes expired data every five minutes, in several commits.
    static func purging(_ purge: PurgeService.Purge) -> RecurringWork {
        .calling("purge \(purge.name)", every: .minutes(5)) { _, _ in _ = try await purge.deleteAll() }
    }
}
