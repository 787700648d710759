import Foundation
import LarderTesting

/// A `larder serve` process, which ends with the lifetime of this object.
final class ServeProcess {
    struct TooSlow: Error { let said: String }

    let process: Process
    private let output: String
    private let errors: String

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - log: Receives standard error instead of a file.
    ///   - change: Changes the process before it starts.
    init(
        _ larder: LarderProcess, _ arguments: [String], variables: [String: String] = [:], log: Pipe? = nil,
        _ change: (Process) -> Void = { _ in }
    ) throws {
        let name = UUID().uuidString
        output = try larder.folder.file(name + ".output", "")
        errors = try larder.folder.file(name + ".errors", "")
        process = larder.process(["serve"] + arguments, variables: variables)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = log ?? FileHandle(forWritingAtPath: errors) as Any
        change(process)
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until the process listens, and returns its port.
    func port() async throws -> Int {
        try await until { try said().contains("Store: ") }
        let address = try said().firstMatch(of: #/Larder serves http://[^/]*:(\d+)/ /#)
        guard let port = address.flatMap({ Int($0.output.1) }) else { throw TooSlow(said: try said()) }
        return port
    }

    /// The token that the process printed.
    func token() throws -> String? {
        try said().firstMatch(of: #/larder_[A-Za-z0-9_\-]{43}/#).map { String($0.output) }
    }

    /// Sends a signal, and waits for the process to exit.
    func end(_ signal: Int32) async throws -> CommandResult {
        kill(process.processIdentifier, signal)
        return try await ended()
    }

    /// Waits for the process to exit without a signal.
    func ended() async throws -> CommandResult {
        try await until { !process.isRunning }
        return CommandResult(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try said(), errors: try String(contentsOfFile: errors, encoding: .utf8))
    }

    private func said() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

    /// Polls for at least 30 seconds; attempts are counted because the test itself may wait for its turn.
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
