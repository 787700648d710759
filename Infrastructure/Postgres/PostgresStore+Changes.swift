#if Postgres
internal import LarderData
public import LarderDomain

extension PostgresStore {
    /// Follows the commits of all processes. A commit is delivered after all transactions of the server that began to
    /// write before it have ended.
    public nonisolated func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        let (feed, pool) = (feed, pool)
        guard let (end, isKnown) = try? await start(after: token) else { return AsyncStream { nil } }
        let isAtEnd = token == nil || !isKnown
        let stream = PostgresStream(
            lifetime, after: isAtEnd ? end.position : token?.position ?? 0, skipping: isAtEnd ? end.later : [],
            isGap: !isKnown, feed
        ) { position, limit throws(PersistencyError) in
            try await pool.run { connection, _ throws(PersistencyError) in
                try PostgresJournal(connection: connection).page(after: position, limit: limit)
            }
        }
        feed.add(stream)
        return AsyncStream { await stream.next() }
    }

    /// The end of the journal, and whether it contains the position of a token.
    private nonisolated func start(
        after token: ChangeToken?
    ) async throws(PersistencyError) -> (end: PostgresJournal.End, isKnown: Bool) {
        let end = try await pool.run { connection, _ throws(PersistencyError) in
            try PostgresJournal(connection: connection).end()
        }
        return (end, token.map { $0.lifetime == lifetime && $0.position <= end.newest } ?? true)
    }
}
#endif
