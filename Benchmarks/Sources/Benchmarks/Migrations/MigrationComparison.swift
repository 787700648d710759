import LarderData
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One migration and its floor, in alternation, on copies of one database.
struct MigrationComparison {
    let floorName: String
    /// Seconds of the floor, and of Larder.
    let (floorSeconds, seconds): (Double, Double)
    /// Medians of ratios, with both times from the same pass.
    let (ratio, processorRatio): (Double, Double)
    /// The ratios to slower floors, which are no target.
    let others: [(name: String, ratio: Double)]
    let megabytes: Double

    struct Different: Error {
        let name: String
        let lines: Set<String>
    }

    /// - Throws: `Different` where the databases differ after the migrations.
    init(_ migration: MigrationCase, on databases: MigrationDatabases, passes: Int) throws {
        let floors = try Self.floors(of: migration, databases)
        var times = floors.map { _ in [ChildProcess]() }
        var larder: [(process: ChildProcess, megabytes: Double)] = []
        for pass in 0..<passes {
            var summaries: [[String]] = []
            for place in 0...floors.count {
                let side = (place + pass) % (floors.count + 1)
                try databases.withCopy(hasList: migration.hasList) { path in
                    if side == floors.count {
                        let run = try Self.larder(migration, path, databases.folder)
                        larder.append((run.process, run.megabytes))
                    } else {
                        times[side].append(try floors[side].run(path))
                    }
                    if pass == 0 { summaries.append(try MigrationDatabases.summary(path)) }
                }
            }
            for summary in summaries where summary != summaries[0] {
                throw Different(name: migration.name, lines: Set(summary).symmetricDifference(summaries[0]))
            }
        }
        let medians = times.map { Spread($0.map(\.wall)).median }
        let best = medians.indices.min { medians[$0] < medians[$1] } ?? 0
        floorName = floors[best].name
        (floorSeconds, seconds) = (medians[best], Spread(larder.map(\.process.wall)).median)
        let ratios = times.map { Spread(zip(larder, $0).map { $0.process.wall / $1.wall }).median }
        ratio = ratios[best]
        others = floors.indices.filter { $0 != best }.map { (floors[$0].name, ratios[$0]) }
        processorRatio = Spread(zip(larder, times[best]).map { $0.process.cpu / $1.cpu }).median
        megabytes = larder.map(\.megabytes).max() ?? 0
    }

    private typealias Floor = (name: String, run: (_ path: String) throws -> ChildProcess)

    private static func floors(
        of migration: MigrationCase, _ databases: MigrationDatabases
    ) throws -> [Floor] {
        let folder = databases.folder
        switch migration.floor {
        case .shell:
            let path = databases.path(hasList: migration.hasList)
            let status = try SQLiteStore.schemaStatus(path: path, schemas: migration.schemas())
            let script = folder.appending(path: "script.sql").path
            try (["PRAGMA synchronous = FULL;"] + status.statements + [""]).joined(separator: "\n")
                .write(toFile: script, atomically: true, encoding: .utf8)
            return [("the shell", { try ChildProcess.run(["sqlite3", "-bail", $0], input: script, in: folder) })]
        case .program(let mode):
            let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "MigrationFloor").path
            return ["copy", "update"].map { way in
                ("the program, \(way)", { try ChildProcess.run([program, mode, way, $0], in: folder) })
            }
        }
    }

    typealias Run = (process: ChildProcess, opening: Double, megabytes: Double)

    /// Opens a database with Larder in a process of its own.
    static func larder(
        _ migration: MigrationCase, _ path: String, _ folder: URL, copies: Bool = false
    ) throws -> Run {
        let arguments = [Migrations.childArgument, migration.name, copies ? "copies" : "bare", path]
        let process = try ChildProcess.run(CommandLine.arguments.prefix(1) + arguments, in: folder)
        let figures = process.output.compactMap { Double($0) }
        guard figures.count == 3 else { throw ChildProcess.Failed(command: arguments, output: "\(process.output)") }
        return (process, figures[0], figures[1])
    }
}
