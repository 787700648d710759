import CoreMetrics
import Foundation
import HTTPTypes
import JWTKit
import LarderApp
import LarderData
import LarderHTTP
import LarderInfrastructure
import Logging
import NIOSSL

/// The service of ``ReadersAPI``, and a client.
struct ReadersService: Sendable {
    let client: TLSClient
    let keys: JWTKeyCollection

    static func run(
        metrics: any MetricsFactory = PrometheusMetrics(), logLevel: Logger.Level = .info,
        _ body: (ReadersService) async throws -> Void
    ) async throws {
        let certificate = try SelfSigned()
        let keys = JWTKeyCollection()
        await keys.add(hmac: "a key of 32 bytes, which is known!", digestAlgorithm: .sha256)
        let settings = ServiceSettings(
            store: StoreSettings(location: .memory),
            server: ServerSettings(port: 0, tls: .service, logLevel: logLevel))
        let run = ServiceRun(
            settings, ReadersAPI.readers, mappers: [StoredAnswerMapper.self], metrics: metrics)
        let (ports, port) = AsyncThrowingStream.makeStream(of: Int.self)
        let running = Task {
            do {
                try await run.untilStopped { manager in
                    ReadersAPI(
                        service: ResourceService(
                            manager: manager, authenticator: JWTAuthenticator(keys: keys), readingIsOpen: true,
                            limits: settings.server.limits, answers: AnswerKeeper()
                        ) { _, _ in },
                        tls: certificate.tls)
                } onServing: { _, number in
                    port.yield(number)
                }
            } catch {
                port.finish(throwing: error)
            }
        }
        defer { running.cancel() }
        for try await number in ports {
            let client = TLSClient(port: number, certificate: certificate.certificate)
            return try await body(ReadersService(client: client, keys: keys))
        }
    }

    /// The response to a request for a path.
    func get(_ path: String, token: String? = nil, id: String? = nil) async throws -> TLSClient.Answer {
        try await client.withHTTP2 { connection in
            var headers: HTTPFields = [:]
            headers[.authorization] = token.map { "Bearer \($0)" }
            headers[.xRequestID] = id
            return try await connection.send(.get, path, headers: headers)
        }
    }
}
