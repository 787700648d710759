import LarderData
import LarderDomain
import LarderStoreContract
import Testing

@testable import LarderInfrastructure

/// A loss of power after every call of a few workloads, in every way that a device may keep what was not synced.
struct LogCrashTests {
    private enum Step {
        case group([ChangeSet])
        case compact
        /// Closes and opens.
        case reopen
        /// Opens without having closed, as after `kill -9`.
        case kill
    }

    /// A workload's states by commits, and which of them may be found after each call.
    private struct Run {
        let fileSystem: SimulatedFileSystem
        var states: [[StorageObject]] = [[]]
        /// The fewest commits that must be there, and the most that may, after as many calls.
        var bounds: [(acknowledged: Int, started: Int)] = []
    }

    private let bench: LogBench
    /// Of what may be left after one call, no more than so many are tried.
    private let most = RunSize.current.of(quick: 20, ci: 100, prove: 100)
    private static let schema = EntitySchema(
        name: "item", columns: [Column(name: "text", type: .text)], uniques: [[0]])

    init() throws {
        bench = LogBench(try SchemaSet([Self.schema]), compactionFloor: 0)
    }

    private static func item(_ number: Int, _ text: String) -> StorageObject {
        StorageObject(schema: schema, id: Sample.id(number), values: [.text(text)])
    }

    private static func insert(_ number: Int, _ text: String) -> ChangeSet {
        ChangeSet(inserts: [item(number, text)])
    }

    private static func update(_ number: Int, from old: String, at version: Int64, to new: String) -> ChangeSet {
        var before = item(number, old)
        before.version = version
        return ChangeSet(updates: [item(number, new).update(from: before)])
    }

    private static let long = String(repeating: "long ", count: 250)

    private static let workloads: [[Step]] = [
        [.group([insert(1, "a")]), .group([insert(2, "b")]), .reopen, .group([insert(3, "c")])],
        [.group([insert(1, "a"), insert(2, "b"), insert(3, "c")]), .compact, .group([insert(4, long)]), .kill],
        [.group([insert(1, long)]), .kill, .group([update(1, from: long, at: 1, to: "x")]), .compact, .reopen],
        [
            .reopen, .group([insert(1, "a")]), .reopen, .reopen, .compact,
            .group([ChangeSet(inserts: [item(2, "a")], deletes: [item(1, "a").expecting(1)])]), .reopen,
        ],
    ]

    private func run(_ steps: [Step], on disk: SimulatedDisk) throws -> Run {
        var run = Run(fileSystem: SimulatedFileSystem(disk, keepsHistory: true))
        func note(_ acknowledged: Int, _ started: Int, _ run: inout Run) {
            while run.bounds.count <= run.fileSystem.operationCount { run.bounds.append((acknowledged, started)) }
        }
        var engine = try bench.open(run.fileSystem)
        note(0, 0, &run)
        for step in steps {
            let before = run.states.count - 1
            switch step {
            case .group(let changes):
                var alone = engine.state
                for change in changes {
                    _ = alone.apply(try alone.judge(change), of: change)
                    run.states.append(Array(alone.tables["item"]?.chunks.joined() ?? [].joined()))
                }
                let results = engine.commit(changes.map(PendingCommit.init)).results
                for result in results { _ = try result.get() }
                // The last call of a commit is what makes it last.
                run.bounds.removeLast()
                while run.bounds.count < run.fileSystem.operationCount {
                    run.bounds.append((before, before + changes.count))
                }
            case .compact: try engine.compact()
            case .reopen:
                engine.close()
                run.fileSystem.killProcess()
                engine = try bench.open(run.fileSystem)
            case .kill:
                run.fileSystem.killProcess()
                engine = try bench.open(run.fileSystem)
            }
            note(run.states.count - 1, run.states.count - 1, &run)
        }
        return run
    }

    @Test func `after a loss of power at any moment what was acknowledged is there, and nothing by halves`()
        async throws
    {
        let start = ContinuousClock.now
        var random = SplitMix(seed: RunSize.seed)
        var seen: Set<[String: [UInt8]]> = []
        var checked = 0
        for steps in Self.workloads {
            let run = try run(steps, on: LogBench.disk)
            #expect(run.bounds.count == run.fileSystem.operationCount + 1)
            for (place, bounds) in run.bounds.enumerated() {
                let images = CrashImages(run.fileSystem.disk(after: place))
                for number in 0..<min(images.count, most) {
                    let image = images.count <= most ? images[number] : images.random(using: &random)
                    guard seen.insert(image.files).inserted else { continue }
                    await Task.yield()
                    checked += 1
                    try check(image, run, bounds, "\(place)")
                }
            }
        }
        print(report("crashes of a log", checked, since: start))
        #expect(checked > 200)
    }

    private func report(_ name: String, _ checked: Int, since start: ContinuousClock.Instant) -> RunReport {
        RunReport(
            name, figure: "\(checked) states", duration: ContinuousClock.now - start)
    }

    private func check(
        _ image: SimulatedDisk, _ run: Run, _ bounds: (acknowledged: Int, started: Int), _ place: String
    ) throws {
        let fileSystem = SimulatedFileSystem(image)
        var engine: LogEngine
        do throws(PersistencyError) {
            engine = try bench.open(fileSystem)
        } catch {
            Issue.record("after \(place) calls: \(error)")
            return
        }
        let found = engine.roots(Self.schema)
        let commits = Int(engine.state.sequence)
        #expect(
            (bounds.acknowledged...bounds.started).contains(commits) && run.states[commits] == found,
            "after \(place) calls: \(commits) commits")
        // What a reader was shown now must last, and so must the next commit.
        #expect(try bench.roots(Self.schema, on: CrashImages(fileSystem.disk)[0]) == found)
        try engine.insert(Self.item(99, "next"))
        #expect(try bench.roots(Self.schema, on: CrashImages(fileSystem.disk)[0]).count == found.count + 1)
    }

    @Test func `a loss of power while a log is opened after another one takes nothing away either`() async throws {
        let start = ContinuousClock.now
        var random = SplitMix(seed: RunSize.seed)
        var seen: Set<[String: [UInt8]]> = []
        var checked = 0
        for steps in Self.workloads {
            let run = try run(steps, on: LogBench.disk)
            for place in run.bounds.indices {
                let images = CrashImages(run.fileSystem.disk(after: place))
                for _ in 0..<min(images.count, most / 10) {
                    let image = images.random(using: &random)
                    guard seen.insert(image.files).inserted else { continue }
                    await Task.yield()
                    let fileSystem = SimulatedFileSystem(image, keepsHistory: true)
                    let found = try bench.open(fileSystem)
                    for place in 0...fileSystem.operationCount {
                        let images = CrashImages(fileSystem.disk(after: place))
                        for number in 0..<min(images.count, most) {
                            let second = images.count <= most ? images[number] : images.random(using: &random)
                            guard seen.insert(second.files).inserted else { continue }
                            await Task.yield()
                            checked += 1
                            let again = try bench.open(SimulatedFileSystem(second))
                            #expect(again.roots(Self.schema) == found.roots(Self.schema))
                            #expect(again.state.sequence == found.state.sequence)
                        }
                    }
                }
            }
        }
        print(report("crashes of a log while it is opened", checked, since: start))
        #expect(checked > 200)
    }

    @Test func `a process that is killed at any moment leaves a log that survives a loss of power while it is opened`()
        async throws
    {
        let start = ContinuousClock.now
        var random = SplitMix(seed: RunSize.seed)
        var seen: Set<[String: [UInt8]]> = []
        var checked = 0
        for steps in Self.workloads {
            let run = try run(steps, on: LogBench.disk)
            for place in run.bounds.indices {
                // What the system has in memory is still there, and not on the device yet.
                let fileSystem = SimulatedFileSystem(run.fileSystem.disk(after: place), keepsHistory: true)
                let found = try bench.open(fileSystem)
                #expect(Int(found.state.sequence) >= run.bounds[place].acknowledged)
                for step in 0...fileSystem.operationCount {
                    let images = CrashImages(fileSystem.disk(after: step))
                    for number in 0..<min(images.count, most) {
                        let second = images.count <= most ? images[number] : images.random(using: &random)
                        guard seen.insert(second.files).inserted else { continue }
                        await Task.yield()
                        checked += 1
                        let again = refusal { () throws(PersistencyError) in
                            let again = try bench.open(SimulatedFileSystem(second))
                            #expect(run.states[Int(again.state.sequence)] == again.roots(Self.schema))
                            #expect(again.state.sequence >= run.bounds[place].acknowledged)
                            if step == fileSystem.operationCount {
                                #expect(again.state.sequence == found.state.sequence)
                            }
                        }
                        #expect(again == nil)
                    }
                }
            }
        }
        print(report("crashes of a log after a kill", checked, since: start))
        #expect(checked > 200)
    }
}
