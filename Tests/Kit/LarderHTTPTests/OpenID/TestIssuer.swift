import Foundation
import HTTPTypes
import Hummingbird
import LarderApp
import LarderDomain
import LarderTesting
import Logging
import NIOCore
import Synchronization

/// An OpenID Connect provider on the loopback interface, which answers as a test wants.
final class TestIssuer: Sendable {
    enum Answer: Sendable {
        case text(String)
        case status(Int)
        /// A redirect to a path at which the right document is.
        case redirect
        case silence
        /// A head, and then silence.
        case head
        /// Pieces of 64 KiB.
        case pieces(Int)
    }

    static let metadata = "/.well-known/openid-configuration"
    static let jwks = "/keys"
    /// The time of ``StoppedClock``, at which tokens are issued.
    static let start: Int64 = 1_700_000_000

    let url: String
    let keys: Mutex<[TestKey]>
    /// Answers instead of documents, by path.
    let answers = Mutex<[String: Answer]>([:])
    /// The paths of all requests.
    let requests = Mutex<[String]>([])
    /// Requests for keys wait at it.
    let gate = Gate()

    private init(port: Int, keys: [TestKey]) {
        url = "http://127.0.0.1:\(port)"
        self.keys = Mutex(keys)
    }

    /// The number of fetches of keys.
    var fetches: Int { requests.withLock { $0.count { $0 == Self.jwks } } }

    static func run(
        _ keys: [TestKey] = [.es256("a")], _ body: (TestIssuer) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let shared = Mutex<TestIssuer?>(nil)
        let router = Router()
        for path in ["/elsewhere", metadata, "/elsewhere" + metadata, jwks, "/elsewhere" + jwks] {
            router.get(RouterPath(path)) { _, _ in
                guard let issuer = shared.withLock({ $0 }) else { throw HTTPError(.notFound) }
                return try await issuer.response(path)
            }
        }
        let server = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "issuer") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await server.run() }
        defer { running.cancel() }
        for await port in ports {
            let issuer = TestIssuer(port: port, keys: keys)
            shared.withLock { $0 = issuer }
            return try await body(issuer)
        }
    }

    private func response(_ path: String) async throws -> Response {
        requests.withLock { $0.append(path) }
        if path == Self.jwks { await gate.pass() }
        switch answers.withLock({ $0[path] }) {
        case .text(let text): return .text(text)
        case .status(let code): return Response(status: .init(code: code))
        case .redirect: return Response(status: .found, headers: [.location: "\(url)/elsewhere\(path)"])
        case .silence: try await Task.sleep(for: .seconds(3_600))
        case .head:
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: " "))
                    try await Task.sleep(for: .seconds(3_600))
                })
        case .pieces(let count):
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    for _ in 0..<count { try await writer.write(ByteBuffer(repeating: 32, count: 1 << 16)) }
                    try await writer.finish(nil)
                })
        case nil: break
        }
        if path.hasSuffix(Self.jwks) { return .text(document(keys.withLock { $0.map(\.jwk) })) }
        return .text(metadata())
    }

    func document(_ keys: [JSON]) -> String { JSON.sorted(["keys": JSON.array(keys)]).written }

    func metadata(issuer: String? = nil, keys: String? = nil) -> String {
        JSON.sorted(["issuer": issuer ?? url, "jwks_uri": keys ?? url + Self.jwks]).written
    }

    /// A token of ann, with changes: a member that is `nil` is omitted.
    func token(
        _ key: TestKey? = nil, header: [String: (any JSONConvertible)?] = [:],
        claims: [String: (any JSONConvertible)?] = [:]
    ) throws -> String {
        let key = key ?? keys.withLock { $0[0] }
        let head: [String: (any JSONConvertible)?] = ["alg": key.algorithm, "kid": key.id]
        let body: [String: (any JSONConvertible)?] = [
            "iss": url, "sub": "ann", "aud": "loans", "iat": Self.start, "exp": Self.start + 300,
        ]
        return try Self.signed(
            JSON.sorted(head.merging(header) { $1 }).bytes(), JSON.sorted(body.merging(claims) { $1 }).bytes(), key)
    }

    static func signed(_ header: [UInt8], _ payload: [UInt8], _ key: TestKey) throws -> String {
        let signed = "\(Data(header).base64URL).\(Data(payload).base64URL)"
        return try "\(signed).\(key.sign(Data(signed.utf8)).base64URL)"
    }
}

extension JSON {
    fileprivate var written: String { String(decoding: bytes(), as: UTF8.self) }
}

extension Response {
    fileprivate static func text(_ text: String) -> Response {
        Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
