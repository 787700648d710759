#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import LarderStoreContract
import Testing

/// Connections that fall silent in a commit and stay open, as when a client loses its power, or a proxy stops.
@Suite(.postgres, .serialized)
struct PostgresSilenceTests {
    private static let schemas = Result { try SchemaSet([Sample.note]) }

    private func open(
        _ connection: String, busyTimeout: Duration = .seconds(5), statementTimeout: Duration = .seconds(60)
    ) async throws -> PostgresStore {
        let configuration = PostgresStore.Configuration(
            connection, connections: 16, busyTimeout: busyTimeout, statementTimeout: statementTimeout,
            journal: JournalBounds(changes: .max))
        return try await PostgresStore.open(configuration, schemas: Self.schemas.get())
    }

    /// The points of a part at which connections fall silent, in half messages.
    private func points(_ part: CommitMessages.Part) -> [Int] {
        switch RunSize.current {
        case .prove: Array(0..<100)
        case .ci: Array(stride(from: part == .transaction ? 20 : 3, to: 100, by: part == .transaction ? 9 : 4))
        default: part == .transaction ? [25] : [6]
        }
    }

    @Test(arguments: CommitMessages.Part.allCases)
    func `no acknowledged commit is lost or doubled, and others go on, when connections fall silent in a commit`(
        part: CommitMessages.Part
    ) async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let proxy = try CutProxy(to: "\(server.folder)/.s.PGSQL.5432")
        defer { proxy.close() }
        // Its own commit waits for an answer for 2 seconds longer than the time limit of statements.
        let store = try await open(proxy.connection, statementTimeout: .seconds(6))
        let other = try await open(server.connection())
        let minimum = RunSize.current.of(quick: 1, ci: 100, prove: 10_000)
        var (outage, all, silences) = (Duration.zero, FaultLoad(), 0)
        let began = ContinuousClock.now
        let loads = [(store, "silent"), (other, "other")].map { store, name in
            Task { await FaultLoad.run(store, name) }
        }
        for halves in points(part) {
            proxy.silenceNext(.init(part: part, halves: halves))
            while proxy.isSilent == nil { try await Task.sleep(for: .milliseconds(1)) }
            if proxy.isSilent == false { break }
            silences += 1
            // The first commit may precede the silent one.
            for _ in 0..<2 { outage = max(outage, try await all.recover(other)) }
        }
        while all.stored.count < minimum / 100 { try await all.recover(other) }
        for load in loads {
            load.cancel()
            all += await load.value
        }
        try await all.check(other, PlainConnection(.init(server.connection())))
        #expect(silences > 0)
        #expect(all.stored.count + all.updates >= minimum)
        print(
            RunReport(
                "postgres, silent in \(part.rawValue)",
                figure: "\(silences) times, \(all.stored.count + all.updates) commits, \(all.refused.count) refused, "
                    + "\(all.inDoubt.count) in doubt, outage of others \(outage)",
                seed: nil, duration: ContinuousClock.now - began))
        #expect(outage < .seconds(10))
        for store in [store, other] { await store.close() }
    }

    @Test func `a silent connection keeps no other process from opening, and its commit is absent`() async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let proxy = try CutProxy(to: "\(server.folder)/.s.PGSQL.5432")
        defer { proxy.close() }
        let store = try await open(proxy.connection, statementTimeout: .seconds(3))
        let other = try await open(server.connection())
        proxy.silenceNext(.init(part: .end, halves: 6))
        let changes = ChangeSet(inserts: [Sample.note("silent")])
        let commit = Task { try await store.commit(changes) }
        while proxy.isSilent == nil { try await Task.sleep(for: .milliseconds(1)) }
        // It has its position when the server waits for the next message.
        try await PlainConnection(.init(server.connection())).wait(
            until: "SELECT FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'ClientRead'")
        let began = ContinuousClock.now
        async let opened = open(server.connection(), busyTimeout: .milliseconds(100))
        async let stored = other.commit(ChangeSet(inserts: [Sample.note("other")]))
        let (third, receipt) = (try await opened, try await stored)
        #expect(began.duration(to: .now) < .seconds(10))
        #expect(try await third.outcome(of: changes.id) == .absent)
        #expect(try await third.commit(ChangeSet()).token == receipt.token)
        await #expect(throws: PersistencyError.self) { try await commit.value }
        #expect(try await store.outcome(of: changes.id) == .absent)
        for store in [store, other, third] { await store.close() }
    }

    @Test(.timeLimit(.minutes(1)))
    func `connections of other programs are not ended, although they are silent in a pipeline and hold a lock`()
        async throws
    {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await open(server.connection(), busyTimeout: .seconds(6))
        let note = Sample.note("a")
        _ = try await store.commit(ChangeSet(inserts: [note]))
        let foreign = try await Task.detached { try PostgresConnection(.init(server.connection())) }.value
        try await Task.detached {
            try foreign.execute("SELECT pg_advisory_unlock_all()")
            // The server waits for data, as in the middle of a pipeline.
            #expect(throws: PersistencyError.self) {
                try foreign.execute("BEGIN; DELETE FROM note; COPY note FROM STDIN")
            }
        }.value
        let changes = ChangeSet(updates: [RootUpdate(note.key, expected: 1, changes: ObjectChanges())])
        let trouble = await Failure.unavailable { _ = try await store.commit(changes) }
        Failure.expect(trouble, .busy, ["55P03"])
        let observer = try await PlainConnection(.init(server.connection()))
        #expect(try await observer.count("SELECT FROM pg_stat_activity WHERE query LIKE 'BEGIN; DELETE%'") == 1)
        withExtendedLifetime(foreign) {}
        await store.close()
    }
}
#endif
