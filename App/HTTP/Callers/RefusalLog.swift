package import Logging
private import Synchronization

/// Logs refused tokens: a few lines each second, and the number of the others with the next line. A flood of refused
/// tokens would otherwise displace other entries of a log that is read slowly, or is kept up to a size.
package final class RefusalLog: Sendable {
    /// The maximum number of lines in a second.
    static let linesPerSecond = 10

    private struct State {
        var start: ContinuousClock.Instant?
        var lines = 0
        var omitted = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    package func note(_ message: Logger.Message, _ metadata: Logger.Metadata, to logger: Logger) {
        let present = now()
        let omitted = state.withLock { state -> Int? in
            if state.start.map({ $0.duration(to: present) >= .seconds(1) }) ?? true {
                (state.start, state.lines) = (present, 0)
            }
            guard state.lines < Self.linesPerSecond else {
                state.omitted += 1
                return nil
            }
            state.lines += 1
            defer { state.omitted = 0 }
            return state.omitted
        }
        guard let omitted else { return }
        logger.notice(message, metadata: omitted == 0 ? metadata : metadata.merging(["omitted": "\(omitted)"]) { $1 })
    }
}
