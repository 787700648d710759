import CSQLite
import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The number of rows; `DISHES=5000 make bench` only shows that all works run and agree.
let dishes = ProcessInfo.processInfo.environment["DISHES"].flatMap { Int($0) } ?? 100_000
let passes = 5
/// The number of operations of a work, in proportion to the rows.
let part = { @Sendable (count: Int) in max(1, count * dishes / 100_000) }
/// Part of the names of the selected works or loads: `make bench ONLY="point reads"`, or `ONLY=W` for all works.
let wanted = CommandLine.arguments.dropFirst()
let isWanted = { @Sendable (name: String) in wanted.isEmpty || wanted.contains { name.contains($0) } }
let folder = FileManager.default.temporaryDirectory.appending(path: "larder-benchmark-\(UUID())")

@Sendable func run() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if wanted.first == "writers" { return try await GroupCommit.run(in: folder) }
    if wanted.first == Migrations.childArgument { return try await Migrations.migrate(Array(wanted.dropFirst())) }
    if let name = wanted.first, name.hasPrefix("migrations") {
        return try await Migrations.run(only: name.split(separator: " ").dropFirst().last.map(String.init), in: folder)
    }
    if wanted.first == "search" {
        let scale = SearchScale(count: part(100_000)) { try await SearchScale.inSQLite(folder, $0, $1) }
        return try await scale.run()
    }
    if wanted.first == "live" { return try await LiveQueries.run(part(10_000), in: folder) }
    if wanted.first == "pages" { return try await PageScale.run([10_000, 50_000, 200_000], in: folder) }
    #if Postgres
    if wanted.first == "postgres" {
        return try await PostgresWorks.run(part(100_000), passes: 3 * passes, part: wanted.dropFirst().first ?? "works")
    }
    #endif
    if let name = wanted.first, name.hasPrefix("file") {
        return try await FileScale.run(name == "file million" ? [1_000_000] : [1_000, 100_000], in: folder)
    }
    try await withKitchen(dishes, in: folder) { kitchen in
        let works =
            BulkMethod.all.map(kitchen.bulkInsert) + [
                kitchen.fetchOfAll(), kitchen.pointReads(part(20_000)), kitchen.pointReadsFromTasks(part(5_000)),
                kitchen.updates(part(5_000)), kitchen.query(part(20)), kitchen.unchangedSaves(part(10_000)),
                kitchen.newFeasts(part(500)), kitchen.stepChanges(part(500)), kitchen.feastLoads(part(2_000)),
                kitchen.feastLoadsOfHundred(part(20)),
            ]
        let reports = [kitchen.lines(), kitchen.sums(), kitchen.changes(part(5_000))]
        if wanted.first == InstructionCount.argument {
            let sides = kitchen.sides + [try await JournalCost.withoutJournal(kitchen)]
            let plans = (works + reports).map { $0.plan(on: sides) } + (try await SealedWorks(dishes, in: folder)).plans
            return try await InstructionCount.run(plans, wanted.dropFirst())
        }
        print("\(dishes) dishes, durability normal, SQLite \(String(cString: sqlite3_libversion()))")
        print("medians of \(passes) passes, in which the sides take turns; ratios to the C API (least-greatest)\n")
        var comparisons: [Comparison] = []
        for work in works + reports where isWanted(work.name) {
            comparisons.append(try await Comparison.run(work.plan(on: kitchen.sides), passes: passes))
        }
        Report.print(comparisons)
        if isWanted(JournalCost.name) { try await JournalCost.run(part(5_000), passes: 3 * passes, kitchen) }
        let readers = Array(repeating: kitchen.reads, count: 8)
        let loads = [
            ("nothing else to do", []), ("while the store scans", [kitchen.scan]),
            ("while the store commits", [kitchen.commits]),
            ("while the store scans and commits", [kitchen.scan, kitchen.commits]),
            ("while 8 tasks read points", readers),
        ]
        var lateness: [(name: String, Lateness)] = []
        for (name, load) in loads where isWanted(name) {
            lateness.append((name, try await Lateness.measure(for: .seconds(4), beside: load)))
        }
        Report.print(lateness)
    }
    if isWanted(ListLatency.name) { try await ListLatency.run(part(100_000), passes: passes, in: folder) }
    if isWanted(LabelDelete.name) {
        try await LabelDelete.run([part(10_000), part(100_000)], passes: passes, in: folder)
    }
    if isWanted(SetWorks.name) { try await SetWorks.run(dishes, passes: passes, in: folder) }
    if isWanted(FollowerCost.name) { try await FollowerCost.run(part(5_000), passes: 3 * passes, in: folder) }
    if isWanted(SealedWorks.name) { try await SealedWorks.run(dishes, passes: passes, in: folder) }
    if isWanted("growth") { try await Growth.run([1_000, 10_000, 100_000, 1_000_000], in: folder) }
}

// Off the main actor, where most of the measured time would be the hop to another executor. The main thread only waits,
// because a tool that counts instructions cannot follow a process whose main thread ends.
Task.detached {
    do {
        try await run()
        exit(0)
    } catch {
        print("FAILED: \(error)")
        exit(1)
    }
}
while true { sleep(1_000) }
