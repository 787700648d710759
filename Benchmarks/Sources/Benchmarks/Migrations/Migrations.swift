import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Migrations of a million rows, each in its own process. Automatic changes are compared with the `sqlite3` shell, which
/// runs the plan's statements; custom steps with a program in C, which reads and rewrites each row.
///
/// `make bench ONLY=migrations` runs all, and `ONLY="migrations split"` one of them.
enum Migrations {
    /// The first argument of a process that migrates one database.
    static let childArgument = "migrate"

    private static let passes = 3
    private static let target = 2.0
    /// What a shorter migration may take in addition to the shell, in seconds.
    private static let allowance = 1.0
    /// Megabytes by which memory may grow from the small database to the large one.
    private static let growthLimit = 8.0

    struct Missed: Error { let names: [String] }

    static func run(only name: String?, in folder: URL) async throws {
        let cases = MigrationCase.all.filter { name == nil || $0.name == name }
        let (small, large) = (
            MigrationDatabases(folder: folder, count: part(10_000)),
            MigrationDatabases(folder: folder, count: part(1_000_000))
        )
        for databases in [small, large] {
            for hasList in Set(cases.map(\.hasList)) { try await databases.fill(hasList: hasList) }
        }
        print("migrations of \(large.count) rows: seconds of whole processes, medians of \(passes) passes\n")
        Report.row("", ["floor s", "Larder s", "ratio", "CPU ratio", "target"])
        var (missed, memory) = ([String](), [(name: String, figures: [Double])]())
        for migration in cases {
            let measured = try MigrationComparison(migration, on: large, passes: passes)
            let hasShortFloor = measured.floorSeconds < allowance && migration.isAutomatic
            let limit = hasShortFloor ? 1 + allowance / measured.floorSeconds : target
            let floors =
                [measured.floorName] + measured.others.map { "\($0.name): \(Report.decimal($0.ratio))" }
            Report.row(
                migration.description,
                [measured.floorSeconds, measured.seconds, measured.ratio, measured.processorRatio].map(Report.decimal)
                    + [hasShortFloor ? "+1 s" : Report.decimal(limit)],
                (measured.ratio > limit ? "missed" : "met") + ", to " + floors.joined(separator: "; "))
            if measured.ratio > limit { missed.append(migration.name) }
            let least = try small.withCopy(hasList: migration.hasList) {
                try MigrationComparison.larder(migration, $0, folder)
            }
            memory.append((migration.description, [least.megabytes, measured.megabytes]))
        }
        print()
        Report.row("peak memory of the process, MB", ["\(small.count)", "\(large.count)", "limit"])
        for (name, figures) in memory {
            let isMissed = figures[1] > figures[0] + growthLimit
            Report.row(
                name, figures.map(Report.decimal) + ["+\(Report.decimal(growthLimit))"], isMissed ? "missed" : "met")
            if isMissed { missed.append("memory of \(name)") }
        }
        if let first = cases.first(where: { !$0.hasList && $0.name == "drops" }) { try reportCopy(first, large) }
        if !missed.isEmpty { throw Missed(names: missed) }
    }

    /// The time of the copy of a database before a migration that is not additive.
    private static func reportCopy(_ migration: MigrationCase, _ databases: MigrationDatabases) throws {
        var seconds: [Double] = []
        for _ in 0..<passes {
            let times = try [false, true].map { copies in
                try databases.withCopy(hasList: migration.hasList) { path in
                    try MigrationComparison.larder(migration, path, databases.folder, copies: copies).opening
                }
            }
            seconds.append(times[1] - times[0])
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: databases.path(hasList: migration.hasList))
        let size = Double(attributes[.size] as? Int ?? 0) / 1_048_576
        print("\nthe copy before a migration: \(Report.decimal(Spread(seconds).median)) s for \(Int(size)) MB")
    }

    /// Opens one database, in a separate process, and prints the seconds of the opening and the peak memory.
    ///
    /// - Parameter arguments: The name of the case, whether the database is copied, and the path.
    static func migrate(_ arguments: [String]) async throws {
        guard arguments.count == 3, let migration = MigrationCase.all.first(where: { $0.name == arguments[0] }) else {
            return
        }
        let reports = Atomic(0)
        let options = MigrationOptions(mode: .all, copies: arguments[1] == "copies") { _ in
            reports.wrappingAdd(1, ordering: .relaxed)
        }
        let schemas = try migration.schemas()
        let configuration = SQLiteStore.Configuration(.file(arguments[2]), durability: .full, migration: options)
        let clock = ContinuousClock()
        let start = clock.now
        let store = try await SQLiteStore.open(configuration, schemas: schemas)
        let opening = clock.now - start
        await store.close()
        print(opening.microseconds / 1e6, Memory.peak, reports.load(ordering: .relaxed))
    }
}
