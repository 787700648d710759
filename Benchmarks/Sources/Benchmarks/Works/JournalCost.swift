import LarderData
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// W12: the update with its own commit (W5) on a store with a journal, relative to the same store without one.
enum JournalCost {
    static let name = "W12 update, journal"
    private static let target = 1.25

    static func run(_ count: Int, passes: Int, _ kitchen: Kitchen) async throws {
        var comparisons: [Comparison] = []
        for durability in [SQLiteStore.Durability.normal, .full] {
            let sides = [
                try await withoutJournal(kitchen, durability),
                try await LarderSide.open(
                    "with", try kitchen.copy("with-\(durability)"), by: LarderSide.sqlite(durability)),
            ]
            let update = kitchen.updates(count)
            let work = Work(
                name: "\(name), \(durability)", target: target, operations: update.operations, pass: update.pass)
            comparisons.append(try await Comparison.run(work.plan(on: sides), passes: passes))
            for side in sides { await side.store.close() }
        }
        print()
        Report.print(comparisons)
    }

    static func withoutJournal(
        _ kitchen: Kitchen, _ durability: SQLiteStore.Durability = .normal
    ) async throws -> LarderSide {
        try await LarderSide.open(
            "without", try kitchen.copy("without-\(durability)"), by: LarderSide.sqlite(durability, journal: nil))
    }
}

extension Kitchen {
    /// Copies the filled database, as it was before the sides opened it, and returns the path of the copy.
    fileprivate func copy(_ name: String) throws -> String {
        let path = folder.appending(path: name + ".sqlite").path
        try FileManager.default.copyItem(atPath: original, toPath: path)
        return path
    }
}
