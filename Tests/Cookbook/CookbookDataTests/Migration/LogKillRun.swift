import LarderData
import LarderDomain
import LarderStoreContract

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// The migration of a file store of one release, killed, or without power, after every file operation.
struct LogKillRun {
    private static let salts = Salts()
    /// The number of disks that are opened for each loss of power.
    private static let losses = RunSize.current.of(quick: 4, ci: 32, prove: 256)

    private let release: Int
    private let outcome: MigrationOutcome
    private let fileSystem: SimulatedFileSystem

    var operations: Int { fileSystem.operationCount }

    /// Migrates a store once.
    init(release: Int) throws {
        self.release = release
        let (old, new) = (try CookbookHistory.schemas(of: release), try CookbookHistory.newest())
        let original = SimulatedFileSystem(LogBench.disk)
        var engine = try Self.open(original, old)
        var changes = ChangeSet(inserts: try HistoricalData.objects(of: old, release: release))
        changes.keepsVersions = true
        try engine.commit(changes)
        engine.close()
        fileSystem = SimulatedFileSystem(original.disk, keepsHistory: true)
        var migrated = try Self.open(fileSystem, new)
        outcome = MigrationOutcome(
            old: .init(schemas: old, content: Self.content(engine, old)),
            new: .init(schemas: new, content: Self.content(migrated, new)))
        migrated.close()
    }

    /// Opens the disk of a killed process, and disks after a loss of power, after each operation. Returns what is wrong,
    /// and the number of different disks.
    func failures() -> (failures: [String], disks: Int) {
        var (failures, seen) = ([String](), Set<[String: [UInt8]]>())
        var random = SplitMix(seed: RunSize.seed)
        for operation in 0...operations {
            let disk = fileSystem.disk(after: operation)
            let images = CrashImages(disk)
            let count = min(images.count, Self.losses)
            let lost = (0..<count).map { number in
                number == 0 || count == images.count ? images[number] : images.random(using: &random)
            }
            for (number, disk) in ([disk] + lost).enumerated() where seen.insert(disk.files).inserted {
                do {
                    try check(disk)
                } catch {
                    failures.append("release \(release), after operation \(operation), disk \(number): \(error)")
                }
            }
        }
        return (failures, seen.count)
    }

    private func check(_ disk: SimulatedDisk) throws {
        let file = try SimulatedFileSystem(disk).open(LogBench.log)
        let head = try LogReplay(file, path: LogBench.log, declared: outcome.new.schemas).head
        let state = try outcome.isNew(head.record.items) ? outcome.new : outcome.old
        // The program of that version.
        let found = try Self.open(SimulatedFileSystem(disk), state.schemas, .init(mode: .none))
        try outcome.check(
            state.holds(Self.content(found, state.schemas)), "the content is neither old nor new")
        let migrated = try Self.open(SimulatedFileSystem(disk), outcome.new.schemas)
        try outcome.check(
            outcome.new.holds(Self.content(migrated, outcome.new.schemas)), "the next migration has another result")
    }

    private static func open(
        _ fileSystem: SimulatedFileSystem, _ schemas: SchemaSet, _ options: MigrationOptions = TimeMachine.all
    ) throws -> LogEngine {
        let opening = LogOpening(
            schemas: schemas, salt: { salts.next() }, now: { Timestamp(microseconds: 0) }, ids: RepeatedIDs())
        let configuration = FileStore.Configuration(LogBench.folder, busyTimeout: .zero, migration: options)
        return try opening.open(LogPlace(LogBench.folder, fileSystem), configuration)
    }

    private static func content(_ engine: LogEngine, _ schemas: SchemaSet) -> [StorageObject] {
        schemas.roots.flatMap { engine.roots($0) }
    }
}
