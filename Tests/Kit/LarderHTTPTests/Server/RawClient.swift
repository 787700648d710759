import Foundation

/// One run of a ``RawConnection``, on one thread.
struct RawClient {
    private var bytes: [UInt8] = []
    private var isClosed = false
    private let start = Date()
    private let end: Date

    init(upTo seconds: Double) {
        end = Date(timeIntervalSinceNow: seconds)
    }

    mutating func run(_ port: Int, _ steps: [RawConnection.Step]) -> RawConnection.Outcome {
        let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(handle) }
        if Self.connect(handle, port) {
            for step in steps where !isClosed { take(step, handle) }
            read(handle, until: end) { false }
        }
        return RawConnection.Outcome(
            text: String(decoding: bytes, as: UTF8.self), isClosed: isClosed, seconds: Date().timeIntervalSince(start))
    }

    private static func connect(_ handle: Int32, _ port: Int) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Foundation.connect(handle, $0, size) == 0
            }
        }
    }

    private mutating func take(_ step: RawConnection.Step, _ handle: Int32) {
        switch step {
        case .send(let piece):
            // If sending fails, reading the rest shows the reason.
            _ = unsafe piece.withUnsafeBytes {
                unsafe Foundation.send(handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        case .pause(let seconds): read(handle, until: Date(timeIntervalSinceNow: seconds)) { false }
        case .receive(let text):
            var found = false
            while !found, !isClosed, Date() < end {
                read(handle, until: end) { true }
                found = String(decoding: bytes, as: UTF8.self).contains(text)
            }
        case .hold(let flag):
            while !flag.isSet, Date() < end { Thread.sleep(forTimeInterval: 0.005) }
        case .note(let flag): flag.set()
        case .closeOutput: shutdown(handle, Int32(SHUT_WR))
        case .close: isClosed = true
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            unsafe setsockopt(handle, SOL_SOCKET, SO_LINGER, &option, size)
            isClosed = true
        }
    }

    /// Reads until an instant, until the server closes its side, or, after some bytes, until `isEnough`.
    private mutating func read(_ handle: Int32, until instant: Date, isEnough: () -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isClosed {
            let left = min(instant, end).timeIntervalSinceNow
            guard left > 0 else { return }
            var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, Int32(left * 1000) + 1) > 0 else { return }
            let count = unsafe recv(handle, &buffer, buffer.count, 0)
            guard count > 0 else {
                isClosed = true
                return
            }
            bytes += buffer[..<count]
            if isEnough() { return }
        }
    }
}
