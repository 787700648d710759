import Foundation

/// A client that sends any bytes, and reads until the server closes or a time is over.
struct RawConnection {
    /// What came back.
    struct Outcome: Sendable {
        var text = ""
        var isClosed = false
        var seconds = 0.0

        /// The statuses of all answers.
        var statuses: [Int] {
            text.components(separatedBy: "HTTP/1.").dropFirst().compactMap {
                $0.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            }
        }
    }

    /// Sends pieces with pauses between them, on a thread of its own.
    static func exchange(
        _ port: Int, _ pieces: [[UInt8]], pause: Double = 0, upTo seconds: Double = 2, closes: Bool = false
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(returning: run(port, pieces, pause: pause, upTo: seconds, closes: closes))
            }
            thread.start()
        }
    }

    static func exchange(
        _ port: Int, _ pieces: String..., pause: Double = 0, upTo seconds: Double = 2, closes: Bool = false
    ) async -> Outcome {
        await exchange(port, pieces.map { Array($0.utf8) }, pause: pause, upTo: seconds, closes: closes)
    }

    private static func run(
        _ port: Int, _ pieces: [[UInt8]], pause: Double, upTo seconds: Double, closes: Bool
    ) -> Outcome {
        var outcome = Outcome()
        let start = Date()
        let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(handle) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(handle, $0, size) == 0 }
        }
        guard isConnected else { return outcome }
        for piece in pieces {
            let sent = unsafe piece.withUnsafeBytes {
                unsafe send(handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < 0 { break }
            if pause > 0 { Thread.sleep(forTimeInterval: pause) }
        }
        if closes { shutdown(handle, Int32(SHUT_WR)) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = seconds - Date().timeIntervalSince(start)
            guard left > 0 else { break }
            var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, Int32(left * 1000) + 1) > 0 else { break }
            let count = unsafe recv(handle, &buffer, buffer.count, 0)
            guard count > 0 else {
                outcome.isClosed = true
                break
            }
            bytes += buffer[..<count]
        }
        outcome.text = String(decoding: bytes, as: UTF8.self)
        outcome.seconds = Date().timeIntervalSince(start)
        return outcome
    }
}
