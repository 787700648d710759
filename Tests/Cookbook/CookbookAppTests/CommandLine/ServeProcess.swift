import Foundation
import LarderTesting

/// `larder serve` as a process, which is ended with its owner.
final class ServeProcess {
    struct TooSlow: Error { let said: String }

    let process: Process
    private let output: String
    private let errors: String

    /// Starts it.
    ///
    /// - Parameter log: Takes standard error in the place of a file.
    init(
        _ larder: LarderProcess, _ arguments: [String], variables: [String: String] = [:], log: Pipe? = nil
    ) throws {
        let name = UUID().uuidString
        output = try larder.folder.file(name + ".output", "")
        errors = try larder.folder.file(name + ".errors", "")
        process = larder.process(["serve"] + arguments, variables: variables)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = log ?? FileHandle(forWritingAtPath: errors) as Any
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Returns its port, as soon as it listens.
    func port() async throws -> Int {
        try await until { try said().contains("Kept in ") }
        let address = try said().firstMatch(of: #/Larder serves http://[^/]*:(\d+)/ /#)
        guard let port = address.flatMap({ Int($0.output.1) }) else { throw TooSlow(said: try said()) }
        return port
    }

    /// The token that it showed.
    func token() throws -> String? {
        try said().firstMatch(of: #/larder_[A-Za-z0-9_\-]{43}/#).map { String($0.output) }
    }

    /// Sends a signal, and gives how it ended.
    func end(_ signal: Int32) async throws -> CommandResult {
        kill(process.processIdentifier, signal)
        return try await ended()
    }

    /// How it ended by itself.
    func ended() async throws -> CommandResult {
        try await until { !process.isRunning }
        return CommandResult(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try said(), errors: try String(contentsOfFile: errors, encoding: .utf8))
    }

    private func said() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

    /// Looks for 30 seconds at least; tries are counted, since this test may itself wait long for its turn.
    private func until(_ isSo: () throws -> Bool) async throws {
        for _ in 0..<3000 {
            if try isSo() { return }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        if try isSo() { return }
        throw TooSlow(said: try said() + String(contentsOfFile: errors, encoding: .utf8))
    }
}
