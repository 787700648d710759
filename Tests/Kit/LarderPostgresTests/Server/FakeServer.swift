#if Postgres
import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A TCP server on the loopback that is not PostgreSQL.
final class FakeServer: Sendable {
    let port: Int
    private let listener: Int32

    /// - Parameter answer: The answer to each connection; without it, connections are never accepted nor refused.
    init(answer: String? = nil) throws {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound, listen(listener, 16) == 0 else { throw TestServer.Failure("no port is free") }
        (self.listener, port) = (listener, Int(UInt16(bigEndian: address.sin_port)))
        guard let answer else { return }
        DispatchQueue(label: "fake server").async {
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 { return }
                // The client's request is read, so that the end of the connection is no reset.
                var request = [UInt8](repeating: 0, count: 1024)
                _ = unsafe recv(connection, &request, request.count, 0)
                _ = unsafe send(connection, answer, answer.utf8.count, 0)
                close(connection)
            }
        }
    }

    deinit { end() }

    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// A port that no server uses.
    static func freePort() throws -> Int { try FakeServer().port }
}
#endif
