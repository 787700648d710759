internal import LarderData
public import LarderDomain

extension SQLiteStore {
    /// The outcome of a commit of this store or, with a journal, of any retained commit.
    ///
    /// - Complexity: O(*n*) for *n* retained commits, on a thread for scans, if the commit is older than the store's
    ///   last 65,536 commits or than its opening.
    public nonisolated func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        let outcome = outcomes.outcome(of: id)
        guard outcome == .unknown, hasJournal else { return outcome }
        return try await scan(isShort: false) { connection throws(PersistencyError) in
            try SQLiteJournal(connection: connection).outcome(of: id, before: openedAt)
        }
    }

    /// Follows the commits, without waiting for the actor. A read-only store polls the journal of the writing process
    /// every 20 milliseconds while it has observers.
    public nonisolated func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        guard hasJournal else { return hub.subscribe(after: token) }
        if let follower { await follower.poll() }
        let stream = hub.subscribe(after: token) { [weak self] position, limit in
            await self?.commits(after: position, limit: limit)
        }
        follower?.start()
        return stream
    }

    private nonisolated var hasJournal: Bool { traits.capabilities.contains(.journal) }

    /// `nil` if they cannot be read.
    private nonisolated func commits(after position: Int64, limit: Int) async -> [CommittedChanges]? {
        try? await scan(isShort: true) { connection throws(PersistencyError) in
            try SQLiteJournal(connection: connection).page(after: position, limit: limit).commits
        }
    }
}

extension ChangeHub {
    /// - Parameter head: The state of the journal; without one, the lifetime is that of this object.
    convenience init(_ head: SQLiteJournal.Head?) {
        let lifetime = head?.lifetime ?? .random(in: .min ... .max)
        self.init(buffer: 1024, lifetime: lifetime, position: head?.position ?? 0)
    }
}
