import Foundation
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The system calls of the store. `Tests/Proof/prove traced-calls` runs this under `strace`, which must see the same
/// calls.
struct TracedStoreTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// Commits, a group, a deletion, a compaction, a clean close, an end without a close, and opening after each.
    @Test func `the recorded calls are those of the workload, and each record is synced`() async throws {
        let scratch = Scratch()
        let folder = Self.environment["LARDER_TRACED_FOLDER"] ?? scratch.folder
        let fileSystem = RecordingFileSystem(POSIXFileSystem())
        let opening = LogOpening(schemas: try Sample.schemas(), salt: { .random(in: .min ... .max) })
        func engine() throws -> LogEngine { try opening.open(LogPlace(folder, fileSystem)) }

        var first = try engine()
        for number in 0..<3 { try first.insert(Sample.tag(number, "\(number)")) }
        _ = first.commit((3..<6).map { PendingCommit(ChangeSet(inserts: [Sample.tag($0, "\($0)")])) })
        try first.delete(Sample.tag(2, "2"))
        try first.compact()
        try first.replace(Sample.tag(1, "other"))
        first.close()
        try free(&first)
        var second = try engine()
        try second.insert(Sample.tag(7, "7"))
        try free(&second)
        var third = try engine()
        #expect(third.roots(Sample.tag(0, "").schema).count == 6)
        third.close()
        try free(&third)

        let operations = fileSystem.operations
        #expect(operations.count { if case .write = $0 { true } else { false } } > 10)
        for (index, operation) in operations.enumerated() {
            guard case .write(let path, _, _) = operation else { continue }
            let next = operations[(index + 1)...].first { $0.isChange && !$0.isWrite(to: path) }
            #expect(next == .sync(path), "\(operation) is not synced before \(next.map(\.description) ?? "the end")")
        }
        if let path = Self.environment["LARDER_TRACED_CALLS"] {
            let lines = operations.map { $0.description + "\n" }.joined()
            try Data(lines.utf8).write(to: URL(filePath: path))
        }
    }

    /// Releases the lock by replacing the engine with one for a different folder.
    private func free(_ engine: inout LogEngine) throws {
        engine = try LogBench(try Sample.schemas()).open(SimulatedFileSystem(LogBench.disk))
    }
}

extension SimulatedOperation {
    fileprivate func isWrite(to path: String) -> Bool {
        if case .write(path, _, _) = self { true } else { false }
    }
}
