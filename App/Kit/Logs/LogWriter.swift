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

/// Writes lines to a file on a thread of its own, so that nobody else waits for whoever reads the file.
final class LogWriter: Sendable {
    private struct State {
        /// Whole lines that wait to be written.
        var buffer: [UInt8] = []
        var isWriting = false
        var dropped = 0
        /// How many of the dropped entries the log has reported.
        var reported = 0
    }

    private let descriptor: Int32
    private let limit: Int
    private let state = Mutex(State())
    /// Runs one thing after the other, on a thread that may block.
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

    /// What comes first of two ends resumes whoever waits.
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
                // Tried again with the next line: a file that cannot be written may be one for a moment.
                state.isWriting = isWritten
                return isWritten
            }
            guard goesOn else { return }
        }
    }

    /// Takes the buffer; where it is empty, a report of all entries dropped so far, if the last report had fewer; `nil`
    /// for neither.
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

    /// - Returns: `false` for a file that cannot be written.
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

    /// Waits until a file that does not block by itself takes more.
    private static func waitForRoom(_ descriptor: Int32) -> Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&room, 1, -1) > 0 || errno == EINTR
    }
}

/// Outside the type, where `write` is the function of the C library.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
