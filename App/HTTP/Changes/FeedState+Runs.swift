internal import LarderDomain

extension FeedState {
    /// Successive commits of the ring, for one write to a client.
    enum Run {
        case commits([CommittedChanges], after: Int64)
        /// The run that the subscriber's audience encoded last.
        case encoded(ChangeAudience.Run)
    }

    /// The maximum number of changes in a run, unless one commit has more.
    static let changesPerRun = 128

    /// The commits in the ring after a subscriber's position, and advances it; `nil` if there is none, or if the
    /// subscriber has another event first.
    ///
    /// - Parameter last: The last run of the subscriber's audience, which is taken if it starts at the position.
    mutating func run(
        of number: Int, last: ChangeAudience.Run?, now: ContinuousClock.Instant
    ) -> Run? {
        guard let subscriber = subscribers[number], subscriber.reset == nil, !subscriber.isUnconfirmed,
            !subscriber.isDone, subscriber.heartbeats == heartbeats, subscriber.page.isEmpty
        else { return nil }
        let run: (end: Int64, Run)
        if let last, last.start == subscriber.position, last.end <= ring.newest {
            run = (last.end, .encoded(last))
        } else {
            let commits = ring.commits(after: subscriber.position, changes: Self.changesPerRun)
            guard let end = commits.last?.token.position else { return nil }
            run = (end, .commits(commits, after: subscriber.position))
        }
        subscribers[number]?.position = run.end
        if !subscriber.isEnding, !hasEnded { subscribers[number]?.busySince = now }
        return run.1
    }
}
