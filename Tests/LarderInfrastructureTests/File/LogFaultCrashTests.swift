import LarderData
import LarderDomain
import LarderStoreContract
import Testing

@testable import LarderInfrastructure

/// One call that fails, at every place of a workload that goes on as it can, and a loss of power at any moment after it.
struct LogFaultCrashTests {
    private enum Step {
        case insert(Int)
        case compact
        case reopen
        case kill
    }

    /// What must be there after each call, and what may be.
    private struct Run {
        let fileSystem = SimulatedFileSystem(LogBench.disk, keepsHistory: true)
        var acknowledged: Set<Int> = []
        var possible: Set<Int> = []
        var bounds: [(must: Set<Int>, may: Set<Int>)] = []

        mutating func note() {
            while bounds.count <= fileSystem.operationCount { bounds.append((acknowledged, possible)) }
        }
    }

    private let bench: LogBench
    private static let schema = EntitySchema(name: "item", columns: [Column(name: "text", type: .text)])
    private static let steps: [Step] = [
        .insert(1), .insert(2), .reopen, .insert(3), .compact, .insert(4), .insert(5), .kill, .insert(6), .reopen,
        .reopen, .compact, .insert(7), .kill, .insert(8), .reopen,
    ]

    init() throws {
        bench = LogBench(try SchemaSet([Self.schema]), compactionFloor: 0)
    }

    private static func item(_ number: Int) -> StorageObject {
        // Some records are longer than what is left of those that were cut back.
        let text = String(repeating: "text ", count: number % 3 * 40)
        return StorageObject(schema: schema, id: Sample.id(number), values: [.text(text)])
    }

    /// Opens the log; what fails once is tried again, by another process.
    private func open(_ fileSystem: SimulatedFileSystem) throws -> LogEngine {
        fileSystem.killProcess()
        do throws(PersistencyError) {
            return try bench.open(fileSystem)
        } catch {
            fileSystem.killProcess()
            return try bench.open(fileSystem)
        }
    }

    /// Does all steps; the call with this number fails.
    private func run(_ number: Int?, _ fault: SimulatedFault) throws -> Run {
        var run = Run()
        run.fileSystem.inject { count, _ in count == number ? fault : nil }
        var engine = try open(run.fileSystem)
        for step in Self.steps {
            run.note()
            switch step {
            case .insert(let number):
                run.possible.insert(number)
                // From the first of its calls on it may be there.
                do throws(PersistencyError) {
                    try engine.insert(Self.item(number))
                    run.bounds.removeLast(run.bounds.count - min(run.bounds.count, run.fileSystem.operationCount))
                    while run.bounds.count < run.fileSystem.operationCount {
                        run.bounds.append((run.acknowledged, run.possible))
                    }
                    run.acknowledged.insert(number)
                } catch {
                    run.note()
                    // A sync that failed leaves nobody knowing; everything else was taken back.
                    if engine.failure == nil { run.possible.remove(number) }
                }
            case .compact: try? engine.compact()
            case .reopen:
                engine.close()
                engine = try open(run.fileSystem)
            case .kill: engine = try open(run.fileSystem)
            }
        }
        run.note()
        return run
    }

    @Test func `whatever call fails, what was acknowledged is there, and nothing that was taken back`() async throws {
        let calls = try run(nil, .short(0)).fileSystem.operationCount
        let start = ContinuousClock.now
        let step = RunSize.current.of(quick: 5, ci: 1, prove: 1)
        let most = RunSize.current.of(quick: 2, ci: 4, prove: 20)
        var random = SplitMix(seed: RunSize.seed)
        var seen: Set<[String: [UInt8]]> = []
        var checked = 0
        for fault in [SimulatedFault.error(5), .error(28), .short(40)] {
            for number in stride(from: 0, to: calls, by: step) {
                let run = try run(number, fault)
                let last = run.fileSystem.operationCount
                for place in number...last where place < number + 10 || place == last {
                    let images = CrashImages(run.fileSystem.disk(after: place))
                    for _ in 0..<min(images.count, most) {
                        let image = images.random(using: &random)
                        guard seen.insert(image.files).inserted else { continue }
                        await Task.yield()
                        checked += 1
                        let (must, may) = run.bounds[place]
                        let problem = refusal { () throws(PersistencyError) in
                            let found = try Set(bench.roots(Self.schema, on: image).map { Int($0.id.low) })
                            #expect(must.isSubset(of: found), "call \(number), \(fault), crash after \(place)")
                            #expect(found.isSubset(of: may), "call \(number), \(fault), crash after \(place)")
                        }
                        #expect(problem == nil, "call \(number), \(fault), crash after \(place)")
                    }
                }
            }
        }
        print(
            RunReport(
                "crashes of a log after a fault", figure: "\(checked) states",
                duration: ContinuousClock.now - start))
        #expect(checked > 200)
    }
}
