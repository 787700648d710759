import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

@Suite("A change by a closure")
final class ChangeTests: Sendable {
    private enum Failure: Error { case expected }

    private let retries = Mutex<[Int]>([])
    private let ann = Person(1, "Ann")
    private let lost = PersistencyError.conflict(Conflict(EntityReference(Person(1, "").id), expected: 1, found: 2))

    /// A manager that tries three times, without pauses, and counts the retries, over a store with one person.
    private func fixture() async throws -> Fixture {
        let fixture = try Fixture(
            retry: RetryPolicy(
                attempts: 3, sleep: { _ in }, onRetry: { [self] number in retries.withLock { $0.append(number) } }))
        try await fixture.manager.create(ann)
        return fixture
    }

    @Test func `a body runs as often as the policy of the manager says`() async throws {
        let fixture = try await fixture()
        for number in 2...4 { fixture.script.failCommit(number: number, with: lost) }
        var attempts = 0
        let error = await persistencyError {
            try await fixture.manager.change(ann.id) { person in
                attempts += 1
                person.name = "Bea"
            }
        }
        guard case .conflict = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(attempts == 3 && retries.withLock { $0 } == [2, 3])
        #expect(try await fixture.manager.read(ann.id)?.entity == ann)
    }

    @Test func `an error of the body ends the change, also in a repeated attempt`() async throws {
        let fixture = try await fixture()
        fixture.script.failCommit(number: 2, with: lost)
        var attempts = 0
        await #expect(throws: Failure.expected) {
            try await fixture.manager.change(ann.id) { person in
                attempts += 1
                person.name = "Bea"
                if attempts == 2 { throw Failure.expected }
            }
        }
        #expect(attempts == 2 && retries.withLock { $0 } == [2])
    }

    @Test func `an entity that is deleted meanwhile is looked for once`() async throws {
        let fixture = try await fixture()
        let (manager, id) = (fixture.manager, ann.id)
        fixture.script.beforeCommit { changes in
            if !changes.updates.isEmpty { try? await manager.delete(id) }
        }
        var attempts = 0
        let error = await persistencyError {
            try await manager.change(id) { person in
                attempts += 1
                person.name = "Bea"
            }
        }
        guard case .notFound(let reference) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(reference == EntityReference(id) && attempts == 1)
        #expect(retries.withLock { $0 } == [2])
    }
}
