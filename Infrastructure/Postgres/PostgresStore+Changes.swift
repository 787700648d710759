#if Postgres
internal import LarderData
public import LarderDomain

extension PostgresStore {
    /// Follows the commits of all processes, in the order of their positions. While the server is unavailable, the stream
    /// waits; without a token, it then starts with a gap.
    public nonisolated func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        let stream = PostgresStream(lifetime, feed, startsAtEnd: token == nil) { [self] () throws(PersistencyError) in
            let isKnown = try await isKnown(token)
            if let token, isKnown { return (token, false) }
            let end = try await journalEnd()
            return (ChangeToken(lifetime: end.lifetime, position: end.position), token != nil)
        }
        await stream.begin()
        feed.add(stream, after: settlement.position)
        return AsyncStream { await stream.next() }
    }

    /// Whether the journal has reached the position of a token.
    private nonisolated func isKnown(_ token: ChangeToken?) async throws(PersistencyError) -> Bool {
        guard let token, token.lifetime == lifetime else { return false }
        if token.position <= settlement.position { return true }
        return try await pool.run { connection, _ throws(PersistencyError) in
            try PostgresJournal(connection: connection).newest() >= token.position
        }
    }

    /// The end of the journal, after which a stream misses no commit.
    nonisolated func end() async throws(PersistencyError) -> ChangeToken {
        let end = try await journalEnd()
        guard end.lifetime == lifetime else { throw .replaced }
        return token(at: end.position)
    }

    private nonisolated func journalEnd() async throws(PersistencyError) -> PostgresJournal.End {
        let known = settlement.position
        let end = try await pool.run { connection, _ throws(PersistencyError) in
            try PostgresJournal(connection: connection).end(after: known)
        }
        if end.lifetime == lifetime { settlement.note(upTo: end.position) }
        return end
    }
}
#endif
