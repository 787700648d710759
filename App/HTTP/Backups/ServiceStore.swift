internal import AsyncHTTPClient
internal import LarderApp
internal import LarderInfrastructure
internal import NIOCore
internal import NIOHTTP1

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The store of a running service, which the service backs up.
struct ServiceStore {
    /// The longest time for a backup.
    private static let timeout = TimeAmount.hours(24)

    /// The address of the service, without a slash at its end.
    let address: String
    private let token: String

    /// The service in the settings; `nil` if there is none.
    ///
    /// - Parameter isInsecure: Whether the token may be sent to another machine without TLS.
    /// - Throws: `CommandFailure` for an invalid address, and without a token.
    init?(_ sources: SettingSources, isInsecure: Bool) throws(CommandFailure) {
        let service = try sources.value(of: .service)
        guard let text = service.value, !text.isEmpty else { return nil }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), let host = url.host(),
            url.query() == nil
        else { throw service.refusal("invalid service '\(text)': use http://HOST or https://HOST") }
        let name = host.trimmingPrefix("[").prefix { $0 != "]" }
        guard url.scheme == "https" || isInsecure || ServerSettings(host: String(name)).isLoopback else {
            throw service.refusal(
                "the token would be sent to \(host) unencrypted: use https://, or --insecure in a network that you trust"
            )
        }
        guard let token = try sources.value(of: .serviceToken).value, !token.isEmpty else {
            throw CommandFailure(
                .configuration, "\(Setting.serviceToken.variable) is not set",
                advice: "Set it to a token that permits backups of the service.")
        }
        (address, self.token) = (text.hasSuffix("/") ? String(text.dropLast()) : text, token)
    }

    /// Requests a backup, and checks it before it gets its name.
    ///
    /// - Throws: `CommandFailure` if the service refuses or cannot be reached; `PersistencyError` as `Backup.receive`.
    func backUp(to path: String, replacing: Bool) async throws -> Backup {
        // The library's default repeats attempts to connect for 90 seconds.
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await backUp(to: path, replacing: replacing, with: client)
        }
    }

    private func backUp(to path: String, replacing: Bool, with client: HTTPClient) async throws -> Backup {
        var request = HTTPClientRequest(url: address + "/v1/backup")
        request.headers.add(name: "Authorization", value: "Bearer " + token)
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, deadline: .now() + Self.timeout)
        } catch {
            throw CommandFailure(.storeUnavailable, "\(address) does not answer: \(error)", advice: "Check --service.")
        }
        switch response.status {
        case .ok: break
        case .unauthorized, .forbidden:
            throw CommandFailure(
                .forbidden, "\(address) refuses the token (\(response.status))",
                advice: "Set \(Setting.serviceToken.variable) to a token that permits backups.")
        case .serviceUnavailable, .tooManyRequests:
            throw CommandFailure(.busy, "\(address) is busy (\(response.status))", advice: "Try again later.")
        default:
            throw CommandFailure(
                .storeUnavailable, "\(address)/v1/backup answers \(response.status)", advice: "Check --service.")
        }
        do {
            return try await Backup.receive(
                response.body.map { Array($0.readableBytesView) }, to: path, replacing: replacing)
        } catch let error as HTTPClientError {
            throw CommandFailure(
                .storeUnavailable, "\(address) has not sent a complete backup: \(error)",
                advice: "The log of the service has the reason.")
        }
    }
}

extension Setting {
    /// The service whose store is backed up.
    static let service = Setting("service", "The service that has the store open, which then writes the backup.")
    /// The access token for the service.
    static let serviceToken = Setting(
        "service-token", "The access token for --service, of an operator.", isSecret: true)
}
