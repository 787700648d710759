import Foundation

/// A local port in the listening state for the lifetime of this object.
final class LocalPort {
    let number: Int
    private let handle: Int32

    init() {
        let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.handle = handle
        var address = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe Self.withPointer(to: &address) { unsafe bind(handle, $0, size) }
        listen(handle, 1)
        _ = unsafe Self.withPointer(to: &address) { unsafe getsockname(handle, $0, &size) }
        number = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit { close(handle) }

    /// The response to `GET`, header and body; empty if no process listens.
    static func get(_ path: String, _ port: Int, token: String? = nil) -> String {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let request = "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(authorization)\r\n"
        return send([Array(request.utf8)], to: port)
    }

    /// The bytes received until the port closes, after sending chunks with pauses; empty if no process listens.
    static func send(_ pieces: [[UInt8]], to port: Int, pause: Double = 0) -> String {
        let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(handle) }
        var address = address(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard unsafe withPointer(to: &address, { unsafe connect(handle, $0, size) }) == 0 else { return "" }
        for (number, piece) in pieces.enumerated() {
            if number > 0, pause > 0 { Thread.sleep(forTimeInterval: pause) }
            // The server may have responded with an error and closed; the response is read below.
            guard unsafe Foundation.send(handle, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { break }
        }
        var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while case let count = unsafe recv(handle, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Connects, and sends a text without reading the response.
    ///
    /// - Returns: The descriptor, which the caller closes. Its end of the connection may be in the queue of the listener.
    static func open(_ text: String, to port: Int) -> Int32 {
        let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Not blocking: the listener's queue may be full.
        _ = fcntl(handle, F_SETFL, O_NONBLOCK)
        _ = unsafe withPointer(to: &address) { unsafe connect(handle, $0, size) }
        var poll = pollfd(fd: handle, events: Int16(POLLOUT), revents: 0)
        _ = unsafe Foundation.poll(&poll, 1, 1000)
        _ = unsafe Foundation.send(handle, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        return handle
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func withPointer(
        to address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
    ) -> Int32 {
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }
}
