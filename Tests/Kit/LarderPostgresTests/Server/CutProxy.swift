#if Postgres
import Foundation
import LarderPostgres
import Synchronization

/// Forwards connections on a loopback port to a server. On demand, one of them is cut in the middle of a `COMMIT`, or falls
/// silent in a commit: it stays open, and forwards nothing any more.
final class CutProxy: Sendable {
    /// Where in a `COMMIT` the connection is cut.
    enum Cut: String, CaseIterable, Sendable {
        /// What precedes the message is forwarded, and the message is not.
        case beforeForwarding = "before COMMIT is forwarded"
        /// The message is forwarded, and the connection is cut at once.
        case afterForwarding = "after COMMIT is forwarded"
        /// The server has answered, and the answer is not forwarded.
        case answer = "before the answer is forwarded"
    }

    /// Where a connection falls silent.
    struct Silence: Sendable {
        let part: CommitMessages.Part
        /// The half messages of the part that are forwarded.
        let halves: Int
    }

    private struct State {
        var cut: Cut?
        var cuts = 0
        var silence: Silence?
        /// Whether the last silence is later than the end of the commit.
        var isBeyond = false
        var isClosed = false
    }

    private let path: String
    private let listener: Int32
    let port: Int
    private let state = Mutex(State())

    /// - Parameter path: The socket of the server.
    init(to path: String) throws {
        self.path = path
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isBound else { throw TestServer.Failure("no loopback port is free: \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// The connection string of the proxy.
    var connection: String {
        "host=127.0.0.1 port=\(port) user=larder dbname=postgres sslmode=disable gssencmode=disable"
    }

    /// The number of connections that were cut.
    var cuts: Int { state.withLock(\.cuts) }

    /// Cuts the connection of the next commit.
    func cutNext(_ cut: Cut) { state.withLock { $0.cut = cut } }

    /// Lets the next connection whose commit reaches a point fall silent there.
    func silenceNext(_ silence: Silence) {
        state.withLock { ($0.silence, $0.isBeyond) = (silence, false) }
    }

    /// `nil` until a connection has fallen silent; `false` if commits have fewer messages.
    var isSilent: Bool? {
        state.withLock { state in state.silence == nil ? !state.isBeyond : nil }
    }

    /// The half messages of the next one to forward, if the connection falls silent here.
    private func takeSilence(_ numbers: [CommitMessages.Part: Int]) -> Int? {
        state.withLock { state in
            guard let silence = state.silence, let number = numbers[silence.part] else { return nil }
            guard number == silence.halves / 2 else { return nil }
            state.silence = nil
            return silence.halves % 2
        }
    }

    /// Notes the lengths of parts that have ended. Returns whether the connection falls silent now.
    private func noteEnd(_ lengths: [CommitMessages.Part: Int]) -> Bool {
        state.withLock { state in
            guard let silence = state.silence, let length = lengths[silence.part] else { return false }
            guard length * 2 <= silence.halves else { return false }
            (state.silence, state.isBeyond) = (nil, length * 2 < silence.halves)
            return !state.isBeyond
        }
    }

    /// Ends the proxy. Connections end with their clients.
    func close() {
        state.withLock { $0.isClosed = true }
        _ = shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if state.withLock(\.isClosed) || client < 0 { break }
            Thread.detachNewThread { [self] in
                guard let server = connect() else { _ = Glibc.close(client); return }
                ProxiedConnection(
                    client: client, server: server, takeCut: takeCut, postponeCut: { self.cutNext(.answer) },
                    noteCut: noteCut, takeSilence: takeSilence, noteEnd: noteEnd
                ).run()
            }
        }
        _ = Glibc.close(listener)
    }

    private func takeCut() -> Cut? {
        state.withLock { state in
            defer { state.cut = nil }
            return state.cut
        }
    }

    private func noteCut() { state.withLock { $0.cuts += 1 } }

    private func connect() -> Int32? {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.connect(server, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if isConnected { return server }
        _ = Glibc.close(server)
        return nil
    }
}
#endif
