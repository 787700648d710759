#if Postgres
internal import LarderData
public import LarderDomain
internal import Synchronization

extension PostgresStore {
    /// Follows the commits of all processes, in the order of their positions.
    public nonisolated func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        let pool = pool
        guard let end = try? await end() else { return AsyncStream { nil } }
        let isKnown = token.map { $0.lifetime == lifetime && $0.position <= end.position } ?? true
        let start = isKnown ? token ?? end : end
        let stream = PostgresStream(after: start, isGap: !isKnown, feed) { position, limit throws(PersistencyError) in
            try await pool.run { connection, _ throws(PersistencyError) in
                try PostgresJournal(connection: connection).page(after: position, limit: limit)
            }
        }
        feed.add(stream)
        return AsyncStream { await stream.next() }
    }

    /// The end of the journal, after which a stream misses no commit.
    nonisolated func end() async throws(PersistencyError) -> ChangeToken {
        let known = settled.load(ordering: .relaxed)
        let end = try await pool.run { connection, _ throws(PersistencyError) in
            try PostgresJournal(connection: connection).end(after: known)
        }
        settled.max(end.position, ordering: .relaxed)
        return token(at: end.position)
    }
}
#endif
