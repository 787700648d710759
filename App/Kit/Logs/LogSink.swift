#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// The destination of whole log lines, in order. Passing a line never blocks.
public struct LogSink: Sendable {
    private let body: @Sendable ([UInt8]) -> Void
    private let writer: LogWriter?

    /// Passes lines to a closure, which may be called concurrently.
    ///
    /// - Parameter body: Receives one line with its line feed. It must not block.
    public init(_ body: @escaping @Sendable ([UInt8]) -> Void) {
        self.body = body
        writer = nil
    }

    /// Standard error, written by a dedicated thread from a buffer of 1 MiB.
    ///
    /// When the buffer is full, because standard error is not read, entries are dropped and counted; when it has space
    /// again, an entry reports their number. Entries in the buffer are lost if the process is killed.
    public static let standardError = LogSink(descriptor: STDERR_FILENO)

    /// Writes to an open file; a file must have only one sink.
    ///
    /// - Parameter limit: The capacity of the buffer in bytes.
    init(descriptor: Int32, limit: Int = 1 << 20) {
        let writer = LogWriter(descriptor: descriptor, limit: limit)
        self.writer = writer
        body = { writer.append($0) }
    }

    /// The number of dropped entries.
    public var droppedCount: Int { writer?.droppedCount ?? 0 }

    /// Returns when all lines so far are written, or after the time limit.
    public func flush(within limit: Duration) async { await writer?.flush(within: limit) }

    /// Passes a line.
    func callAsFunction(_ line: [UInt8]) { body(line) }
}
