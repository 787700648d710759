import LarderStoreContract
import Testing

/// Migrations from every release, killed at every point.
@Suite(.serialized) struct TimeMachineKillTests {
    private let start = ContinuousClock.now

    @Test func `a database that is killed at any statement of a migration is old or new, and can be migrated`()
        async throws
    {
        var (statements, copies, wrong) = (0, 0, 0)
        for release in CookbookHistory.releases {
            let run = try await DatabaseKillRun(release: release)
            let failures = try await run.failures()
            #expect(failures.isEmpty, "\(failures.prefix(3))")
            statements += run.statements
            copies += run.count
            wrong += failures.count
        }
        report("sqlite killed at \(statements) statements, \(copies) different files, \(wrong) wrong", seed: nil)
    }

    @Test func `a log that is killed after any operation of a migration is old or new, and can be migrated`() throws {
        var (operations, disks, wrong) = (0, 0, 0)
        for release in CookbookHistory.releases {
            let run = try LogKillRun(release: release)
            let result = run.failures()
            #expect(result.failures.isEmpty, "\(result.failures.prefix(3))")
            operations += run.operations
            disks += result.disks
            wrong += result.failures.count
        }
        report(
            "file killed after \(operations) file operations, \(disks) different disks, \(wrong) wrong",
            seed: RunSize.seed)
    }

    private func report(_ figure: String, seed: UInt64?) {
        print(RunReport("time machine", figure: figure, seed: seed, duration: ContinuousClock.now - start))
    }
}
