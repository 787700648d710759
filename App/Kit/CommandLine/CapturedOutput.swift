private import Synchronization

/// Captured output of a command, so that a test can run commands within its own process.
public final class CapturedOutput: Sendable {
    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
    }

    private let state = Mutex(State())

    /// Creates an empty capture; ``during(_:)`` fills it.
    public init() {}

    /// The captured bytes of standard output.
    public var output: [UInt8] { state.withLock(\.output) }

    /// The captured bytes of standard error.
    public var errors: [UInt8] { state.withLock(\.errors) }

    /// Runs a body and captures its output.
    public func during<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await Terminal.$capture.withValue(self, operation: body)
    }

    func add(output bytes: [UInt8]) {
        state.withLock { $0.output += bytes }
    }

    func add(errors bytes: [UInt8]) {
        state.withLock { $0.errors += bytes }
    }
}
