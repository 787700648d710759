#if Postgres
import LarderData
import LarderDomain
@testable import LarderFollowersTests
@testable import LarderPostgres
import Testing

/// The tests of followers on PostgreSQL, where another process may write.
@Suite(.postgres)
struct PostgresFollowerTests {
    private static let kind = FollowedStore(name: "postgres") { schemas, scratch, bounds in
        let name = "followers_\(scratch.suffix(36).lowercased())"
        try await Scratch.run("CREATE SCHEMA IF NOT EXISTS \"\(name)\"")
        var configuration = try await Scratch.configuration(name, connections: 4)
        configuration.journal = bounds
        return try await PostgresStore.open(configuration, schemas: schemas)
    }

    private static let shared = FollowedStore(name: "postgres, shared", open: kind.open)

    @Test(.timeLimit(.minutes(5))) func `followers lose and repeat nothing`() async throws {
        let tests = FollowerTests()
        try await tests.`receives each commit that changes its entities once, in commit order`(Self.kind)
        try await tests.`has each effect in the same store once, however often its runs end`(Self.kind)
        try await tests.`does not receive its own commits`(Self.kind)
        try await tests.`continues after its position when the store is opened again`(Self.kind)
        try await tests.`finds all commits that it has not read in the journal, which then drops them`(Self.kind)
    }

    @Test(.timeLimit(.minutes(5))) func `failures are set aside, retried and passed over`() async throws {
        let tests = FollowerFailureTests()
        try await tests.`sets a commit aside after the last attempt, and an operator retries it`(Self.kind)
        try await tests.`stops after the last attempt, and continues after a retry or a skip`(Self.kind)
        try await tests.`outside of the store repeats only the commits after the last success`(Self.kind)
    }

    @Test(.timeLimit(.minutes(5))) func `a lease has one holder`() async throws {
        let tests = FollowerLeaseTests()
        try await tests.`a run that has lost its lease has no effect, and the other one has it once`(Self.kind)
        try await tests.`a run that ends gives up its lease at once`(Self.kind)
    }

    @Test(.timeLimit(.minutes(5))) func `an outbox delivers its events`() async throws {
        let tests = OutboxTests()
        try await tests.`delivers the events of stored commits, in their order, and deletes them`(Self.kind)
        try await tests.`keeps what it cannot deliver until it can`(Self.kind)
        // Its journal drops commits in larger steps than 20.
        try await tests.`delivers what the journal does not have any more, and further types`(Self.kind)
    }

    @Test(.timeLimit(.minutes(5))) func `recurring work is done once`() async throws {
        let tests = RecurringTests()
        try await tests.`is done once for each tick, over two processes that end and start again`(Self.shared)
        try await tests.`does the last missed tick, or none`(Self.kind)
    }
}
#endif
