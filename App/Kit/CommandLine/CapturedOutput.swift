private import Synchronization

/// What a command wrote, caught instead of shown, so that a test can run commands within its own process.
public final class CapturedOutput: Sendable {
    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// What went to standard output.
    public var output: [UInt8] { state.withLock(\.output) }

    /// What went to standard error.
    public var errors: [UInt8] { state.withLock(\.errors) }

    /// Runs a body, and catches what it writes.
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
