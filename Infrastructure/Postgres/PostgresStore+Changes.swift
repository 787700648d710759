#if Postgres
internal import LarderData
public import LarderDomain

extension PostgresStore {
    /// Follows the commits of all processes, in the order of their positions. While the server is unavailable, the stream
    /// waits; without a token, it then starts with a gap.
    public func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        let stream = PostgresStream(self, after: token)
        await stream.begin()
        feed.add(stream, after: settlement.position)
        return AsyncStream { await stream.next() }
    }

    /// The start of a stream after a token, and whether it is a gap: the journal has not reached the token's position, or
    /// has another lifetime.
    func start(
        after token: ChangeToken?
    ) async throws(PersistencyError) -> (token: ChangeToken, isGap: Bool) {
        if let token, token.lifetime == lifetime {
            if token.position <= settlement.position { return (token, false) }
            let newest = try await pool.run { connection, _ throws(PersistencyError) in
                try PostgresJournal(connection: connection).newest()
            }
            if newest.position >= token.position { return (token, false) }
        }
        return (try await journalEnd(), token != nil)
    }

    /// The end of the journal, after which a stream misses no commit.
    func end() async throws(PersistencyError) -> ChangeToken {
        let end = try await journalEnd()
        guard end.lifetime == lifetime else { throw .replaced }
        return end
    }

    private func journalEnd() async throws(PersistencyError) -> ChangeToken {
        let known = settlement.position
        let end = try await pool.run { connection, _ throws(PersistencyError) in
            try PostgresJournal(connection: connection).end(after: known)
        }
        if end.lifetime == lifetime { settlement.note(upTo: end.position) }
        return end
    }
}
#endif
