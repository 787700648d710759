#if Postgres
internal import LarderData
public import LarderDomain

extension PostgresStore {
    /// Follows the commits of all processes, in the order of their positions.
    public nonisolated func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        let pool = pool
        guard let isKnown = try? await isKnown(token) else { return AsyncStream { nil } }
        guard let start = isKnown ? token : try? await end() else { return AsyncStream { nil } }
        let isGap = token != nil && !isKnown
        let stream = PostgresStream(after: start, isGap: isGap, feed) { position, limit throws(PersistencyError) in
            try await pool.run { connection, _ throws(PersistencyError) in
                try PostgresJournal(connection: connection).page(after: position, limit: limit)
            }
        }
        feed.add(stream)
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
        let known = settlement.position
        let end = try await pool.run { connection, _ throws(PersistencyError) in
            try PostgresJournal(connection: connection).end(after: known)
        }
        guard end.lifetime == lifetime else { throw .replaced }
        settlement.note(upTo: end.position)
        return token(at: end.position)
    }
}
#endif
