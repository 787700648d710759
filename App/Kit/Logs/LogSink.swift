#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// Where whole lines of a log go, one after the other. Handing over a line never waits.
public struct LogSink: Sendable {
    private let body: @Sendable ([UInt8]) -> Void
    private let writer: LogWriter?

    /// Hands lines to a closure, which many threads may call at once.
    ///
    /// - Parameter body: Receives one line with its line feed. It must not wait.
    public init(_ body: @escaping @Sendable ([UInt8]) -> Void) {
        self.body = body
        writer = nil
    }

    /// Standard error, written by one thread of its own from a buffer of 1 MiB.
    ///
    /// While nobody reads standard error the buffer fills up; further entries are dropped and counted. When there is
    /// room again an entry reports how many were dropped. Entries in the buffer are lost with a process that is killed.
    public static let standardError = LogSink(descriptor: STDERR_FILENO)

    /// Writes to an open file; there must be one sink for it.
    ///
    /// - Parameter limit: The bytes of the buffer.
    init(descriptor: Int32, limit: Int = 1 << 20) {
        let writer = LogWriter(descriptor: descriptor, limit: limit)
        self.writer = writer
        body = { writer.append($0) }
    }

    /// How many entries were dropped so far.
    public var droppedCount: Int { writer?.droppedCount ?? 0 }

    /// Returns when all lines so far are written, or after a time limit.
    public func flush(within limit: Duration) async { await writer?.flush(within: limit) }

    /// Takes a line.
    func callAsFunction(_ line: [UInt8]) { body(line) }
}
