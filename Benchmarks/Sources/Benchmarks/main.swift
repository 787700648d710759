import CSQLite
import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How much there is to do; `make bench` takes about a minute.
let (dishes, passes) = (100_000, 5)
/// Parts of names, of works or loads, when only some of them are wanted: `make bench ONLY="point scans"`.
let wanted = CommandLine.arguments.dropFirst()
let isWanted = { @Sendable (name: String) in wanted.isEmpty || wanted.contains { name.contains($0) } }
let folder = FileManager.default.temporaryDirectory.appending(path: "larder-benchmark-\(UUID())")

// Off the main actor, where the hop to another executor would be most of what is measured.
try await Task.detached {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if wanted.first == "writers" { return try await GroupCommit.run(in: folder) }
    if wanted.first == "pages" { return try await PageScale.run([10_000, 50_000, 200_000], in: folder) }
    if let name = wanted.first, name.hasPrefix("file") {
        return try await FileScale.run(name == "file million" ? [1_000_000] : [1_000, 100_000], in: folder)
    }
    try await withKitchen(dishes, in: folder) { kitchen in
        print("\(dishes) dishes, durability normal, SQLite \(String(cString: sqlite3_libversion()))")
        print("medians of \(passes) passes, the sides in turns\n")
        let works = [
            kitchen.bulkInsert(), kitchen.fetchOfAll(), kitchen.pointReads(20_000),
            kitchen.pointReads(5_000, fromTasks: 8, floorOn: 1), kitchen.pointReads(5_000, fromTasks: 8, floorOn: 2),
            kitchen.updates(5_000, floorCompares: true), kitchen.updates(5_000, floorCompares: false),
            kitchen.query(20), kitchen.unchangedSaves(10_000), kitchen.newFeasts(500), kitchen.stepChanges(500),
            kitchen.feastLoads(2_000), kitchen.feastLoadsOfHundred(20),
        ]
        var comparisons: [Comparison] = []
        for work in works where isWanted(work.name) {
            comparisons.append(try await Comparison.run(work, passes: passes))
        }
        Report.print(comparisons)
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
    if isWanted("growth") { try await Growth.run([1_000, 10_000, 100_000, 1_000_000], in: folder) }
}.value
