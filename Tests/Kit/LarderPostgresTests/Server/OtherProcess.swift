#if Postgres
import Foundation
import LarderData
import LarderDomain
import LarderPostgres
import LarderStoreContract
import Synchronization

/// A second process of the tests: the same program, which runs parts of histories. It reads a request in each line of its
/// input, and answers with a line. It ends with its input, so also with the first process.
final class OtherProcess: Sendable {
    struct Request: Codable {
        let connection: String
        let schema: String
        let clients: Range<Int>
        let operations: Int
        let seed: UInt64
        /// Whether commits ignore the versions of roots that they only read: isolation by snapshots alone.
        let ignoresReads: Bool
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }

    private static let variable = "LARDER_OTHER_PROCESS"
    /// Precedes the answers in the output, which also contains lines of the tests' library.
    private static let prefix = "answer "
    static let isCurrent = ProcessInfo.processInfo.environment[variable] != nil

    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private let queue = DispatchQueue(label: "other process")

    /// - Parameter test: The words of the test that calls ``serve()``.
    init(running test: String) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["--testing-library", "swift-testing", "--filter", test]
        process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: "1"]) { $1 }
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
    }

    /// The time since the machine was started, which all processes share.
    static func now() -> Int { Int(DispatchTime.now().uptimeNanoseconds) }

    /// Sends a request, and waits for the answer.
    func answer(_ request: Request) async throws -> HistoryPart {
        let line = try JSONEncoder().encode(request)
        try input.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8))
        let answer = try await withCheckedThrowingContinuation { continuation in
            queue.async { [output] in
                let result = Result { try Self.line(from: output.fileHandleForReading) }
                continuation.resume(with: result)
            }
        }
        return try JSONDecoder().decode(HistoryPart.self, from: answer)
    }

    /// Blocks until there is an answer. Nothing follows it before the next request.
    private static func line(from file: FileHandle) throws -> Data {
        var text = Data()
        while true {
            let more = file.availableData
            text += more
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            if let answer = lines.dropLast().first(where: { $0.starts(with: prefix.utf8) }) {
                return answer.dropFirst(prefix.utf8.count)
            }
            if more.isEmpty { throw Failure(description: String(decoding: text, as: UTF8.self)) }
        }
    }

    func end() { try? input.fileHandleForWriting.close() }

    /// Answers the requests of the first process until its end.
    static func serve() async throws {
        while let line = await Task.detached(operation: { readLine() }).value {
            let request = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
            let part = try await run(request)
            try FileHandle.standardOutput.write(
                contentsOf: Data("\n\(prefix)".utf8) + JSONEncoder().encode(part) + Data("\n".utf8))
        }
    }

    private static func run(_ request: Request) async throws -> HistoryPart {
        let fixture = StoreFixture("part") { schemas, scratch in
            let configuration = PostgresStore.Configuration(request.connection, schema: scratch, connections: 4)
            let store = try await PostgresStore.open(configuration, schemas: schemas)
            return request.ignoresReads ? UnreadStore(store) : store
        }
        return try await HistoryPart(
            fixture, request.schema, clients: request.clients, operations: request.operations, seed: request.seed,
            now: now)
    }
}

/// Ignores the versions of roots that a commit has only read.
private final class UnreadStore: StoreDecorator {
    let base: any Store

    init(_ base: any Store) { self.base = base }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        var changes = changes
        changes.reads = []
        return try await base.commit(changes)
    }
}
#endif
