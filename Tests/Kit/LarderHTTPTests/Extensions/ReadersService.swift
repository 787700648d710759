import CoreMetrics
import Foundation
import HTTPTypes
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderOpenID
import Logging
import NIOSSL

/// The service of ``ReadersAPI``, a client, and the issuer of the readers' tokens.
struct ReadersService: Sendable {
    let client: TLSClient
    let issuer: TestIssuer

    static func run(
        metrics: any MetricsFactory = PrometheusMetrics(), logLevel: Logger.Level = .info,
        proxies: [AddressRange] = [], origins: [String] = [], pagePolicy: String? = nil,
        _ body: (ReadersService) async throws -> Void
    ) async throws {
        let server = ServerSettings(
            port: 0, tls: .service, trustedProxies: proxies, corsOrigins: origins, pagePolicy: pagePolicy,
            logLevel: logLevel)
        try await TestIssuer.run { issuer in
            try await run(issuer, server, metrics, body)
        }
    }

    private static func run(
        _ issuer: TestIssuer, _ server: ServerSettings, _ metrics: any MetricsFactory,
        _ body: (ReadersService) async throws -> Void
    ) async throws {
        let certificate = try SelfSigned()
        let settings = ServiceSettings(store: StoreSettings(location: .memory), server: server)
        let container = ReadersContainer(certificate: certificate)
        let run = ServiceRun(
            settings, ReadersAPI.readers, container,
            mappers: [StoredResponseMapper.self], metrics: metrics)
        let (ports, port) = AsyncThrowingStream.makeStream(of: Int.self)
        let running = Task {
            do {
                let flags = [Setting.openIDIssuer.name: issuer.url, Setting.openIDAudience.name: "readers"]
                let nowhere = UserEnvironment(["XDG_CONFIG_HOME": "/nowhere"])
                var reader = SettingReader(try await SettingSources(flags: flags, environment: nowhere))
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
            return try await body(ReadersService(client: client, issuer: issuer))
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
    /// The issuer is on the loopback interface.
    private let isTest = true

    func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> ReadersAPI {
        let (issuer, audience) = (reader.value(.openIDIssuer) ?? "", reader.value(.openIDAudience) ?? "")
        return { manager in
            let provider = try OpenIDConfiguration(issuer: issuer, audiences: [audience], permitsHTTP: isTest)
            let authenticator = OpenIDAuthenticator<Reader>(provider) { claims in
                // The provider has roles with the names of the permissions.
                let roles = claims.texts("realm_access", "roles")
                return Reader(
                    key: claims.key, operatorPermissions: Set(roles.compactMap(OperatorPermission.init(rawValue:))))
            }
            return ReadersAPI(
                service: ResourceService(
                    manager: manager, authenticator: authenticator, readingIsOpen: true,
                    limits: settings.server.limits, responses: ResponseKeeper()
                ) { _, _ in },
                tls: certificate.tls)
        }
    }
}

extension Setting {
    static let openIDIssuer = Setting("openid-issuer", "The URL of the identity provider.")
    static let openIDAudience = Setting("openid-audience", "The name of the service at the identity provider.")
}
