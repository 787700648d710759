import CoreMetrics
import Foundation
import HTTPTypes
import JWTKit
import LarderApp
import LarderData
import LarderDomain
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
        let container = ReadersContainer(certificate: certificate, keys: keys)
        let run = ServiceRun(
            settings, ReadersAPI.readers, container,
            mappers: [StoredResponseMapper.self], metrics: metrics)
        let (ports, port) = AsyncThrowingStream.makeStream(of: Int.self)
        let running = Task {
            do {
                var reader = SettingReader(SettingSources())
                let api = container.api(settings, &reader)
                try await run.untilStopped {
                    try api($0)
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

struct ReadersContainer: TestContainer {
    let certificate: SelfSigned
    let keys: JWTKeyCollection

    func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> ReadersAPI {
        { manager in
            ReadersAPI(
                service: ResourceService(
                    manager: manager, authenticator: JWTAuthenticator(keys: keys), readingIsOpen: true,
                    limits: settings.server.limits, responses: ResponseKeeper()
                ) { _, _ in },
                tls: certificate.tls)
        }
    }
}
