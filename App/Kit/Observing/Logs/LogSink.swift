private import Synchronization

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// Where whole lines of a log go, one after the other.
public struct LogSink: Sendable {
    private let body: @Sendable ([UInt8]) -> Void

    /// Hands lines to a closure, which many threads may call at once.
    ///
    /// - Parameter body: Receives one line with its line feed.
    public init(_ body: @escaping @Sendable ([UInt8]) -> Void) {
        self.body = body
    }

    /// Standard error: a line is one call of `write`, and no other thread writes meanwhile.
    ///
    /// Blocks while whoever reads standard error does not. A line that cannot be written is lost: there is nowhere left
    /// to say so.
    public static let standardError = LogSink(descriptor: STDERR_FILENO)

    /// Writes to a file that is open; there must be one sink for it, whose threads take turns.
    init(descriptor: Int32) {
        let turn = Turn()
        body = { line in turn.lock.withLock { _ in Self.write(line, to: descriptor) } }
    }

    /// A closure keeps no lock of its own.
    private final class Turn: Sendable {
        let lock = Mutex(())
    }

    /// Writes a line.
    func callAsFunction(_ line: [UInt8]) { body(line) }

    private static func write(_ line: [UInt8], to descriptor: Int32) {
        var rest = line[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN, waitForRoom(descriptor) { continue }
            guard count > 0 else { return }
            // Only a device that took a part, as a full pipe does, is written to once more.
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for a second until a file that does not block by itself takes more.
    private static func waitForRoom(_ descriptor: Int32) -> Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&room, 1, 1000) > 0
    }
}

/// Outside the type, where `write` is the function of the C library.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
