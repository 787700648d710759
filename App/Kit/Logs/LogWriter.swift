private import Dispatch
internal import LarderDomain
private import Synchronization

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// Writes lines to a file on a dedicated thread, so that a slow reader of the file does not block callers.
///
/// The first line is written at once, and the lines of the next millisecond together: under load, waking the thread for
/// each line would cost a request more than its line does.
final class LogWriter: Sendable {
    private struct State {
        /// Whole lines that are not yet written.
        var buffer: [UInt8] = []
        var isWriting = false
        var dropped = 0
        /// The number of dropped entries that the log has reported.
        var reported = 0
    }

    /// In microseconds.
    private static let pause: UInt32 = 1_000

    private let descriptor: Int32
    private let limit: Int
    private let state = Mutex(State())
    /// A serial queue whose thread may block.
    private let queue = DispatchQueue(label: "log")

    init(descriptor: Int32, limit: Int) {
        (self.descriptor, self.limit) = (descriptor, limit)
    }

    var droppedCount: Int { state.withLock { $0.dropped } }

    func append(_ line: [UInt8]) {
        let starts = state.withLock { state in
            guard line.count <= limit - state.buffer.count else {
                state.dropped += 1
                return false
            }
            state.buffer += line
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if starts { queue.async { self.writeAll() } }
    }

    func flush(within limit: Duration) async {
        await withCheckedContinuation { continuation in
            let end = End(continuation)
            queue.async { end.reach() }
            let (seconds, attoseconds) = limit.components
            let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { end.reach() }
        }
    }

    /// Resumes the waiting caller once, at the first of two events.
    private final class End: Sendable {
        private let waiting: Mutex<CheckedContinuation<Void, Never>?>

        init(_ continuation: CheckedContinuation<Void, Never>) { waiting = Mutex(continuation) }

        func reach() { waiting.withLock { $0.take() }?.resume() }
    }

    private func writeAll() {
        while let (lines, reported) = nextLines() {
            let isWritten = Self.write(lines, to: descriptor)
            let goesOn = state.withLock { state in
                if let reported, isWritten { state.reported = reported }
                if reported == nil, !isWritten { state.dropped += lines.count { $0 == UInt8(ascii: "\n") } }
                // Retried with the next line: a write error may be temporary.
                state.isWriting = isWritten
                return isWritten
            }
            guard goesOn else { return }
            usleep(Self.pause)
        }
    }

    /// Takes the buffer; if it is empty, a report of all dropped entries, if there are more than in the last report;
    /// otherwise `nil`.
    private func nextLines() -> (bytes: [UInt8], reported: Int?)? {
        state.withLock { state in
            if !state.buffer.isEmpty {
                defer { state.buffer = [] }
                return (state.buffer, nil)
            }
            let count = state.dropped - state.reported
            guard count > 0 else {
                state.isWriting = false
                return nil
            }
            return (Self.report(count), state.dropped)
        }
    }

    private static func report(_ count: Int) -> [UInt8] {
        var line = LogLine()
        line.add("timestamp", .text(Timestamp.now().fixedWidthDescription))
        line.add("level", .text("warning"))
        line.add("logger", .text("log"))
        line.add("message", .text("log entries dropped: the log was not read in time"))
        line.add("dropped", .literal(String(count)))
        line.end()
        return line.bytes
    }

    /// - Returns: `false` if the file cannot be written.
    private static func write(_ lines: [UInt8], to descriptor: Int32) -> Bool {
        var rest = lines[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN && waitForRoom(descriptor) { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until a non-blocking file accepts more bytes.
    private static func waitForRoom(_ descriptor: Int32) -> Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&room, 1, -1) > 0 || errno == EINTR
    }
}

/// Declared outside the type, where `write` means the function of the C library.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
