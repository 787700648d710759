internal import LarderFollowers
internal import ServiceLifecycle

/// Runs followers and recurring work until graceful shutdown or cancellation. Neither is an error.
struct FollowersService: Service {
    let followers: Followers
    let observer: FollowerObserver

    /// The time between two measurements.
    private static let interval = Duration.seconds(15)

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await cancelWhenGracefulShutdown { try await followers.run() } }
            group.addTask {
                await cancelWhenGracefulShutdown {
                    var late: Set<String> = []
                    while !Task.isCancelled {
                        // Without its store, the runs log the reason.
                        if let statuses = try? await followers.statuses() { observer.measure(statuses, &late) }
                        try? await Task.sleep(for: Self.interval)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
