internal import LarderApp
internal import LarderDomain
internal import LarderInfrastructure

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The store of a running service, which the service backs up.
struct ServiceStore {
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
        guard let token = try sources.value(of: .serviceToken).value, !token.isEmpty,
            token.utf8.allSatisfy({ ("!"..."~").contains(Unicode.Scalar($0)) })
        else {
            throw CommandFailure(
                .configuration, "\(Setting.serviceToken.variable) is not set to a token",
                advice: "Set it to a token that permits backups of the service.")
        }
        (address, self.token) = (text.hasSuffix("/") ? String(text.dropLast()) : text, token)
    }

    /// Requests a backup, and checks it before it gets its name.
    ///
    /// - Throws: `CommandFailure` if the service refuses, cannot be reached, or sends no complete backup;
    ///   `PersistencyError` if the file cannot be written.
    func backUp(to path: String, replacing: Bool) async throws -> Backup {
        do {
            return try await Backup.receive(to: path, replacing: replacing) { draft in
                let report = try await Curl.get(address + "/v1/backup", token: token, to: draft)
                if let failure = failure(report) { throw failure }
            }
        } catch PersistencyError.incompatible(let reason) {
            throw incomplete(reason)
        }
    }

    private func failure(_ report: Curl.Report) -> CommandFailure? {
        switch report.status {
        case 200: report.error.isEmpty ? nil : incomplete(report.error)
        case 401, 403:
            CommandFailure(
                .forbidden, "\(address) refuses the token (\(report.status))",
                advice: "Set \(Setting.serviceToken.variable) to a token that permits backups.")
        case 429, 503: CommandFailure(.busy, "\(address) is busy (\(report.status))", advice: "Try again later.")
        case 100...:
            CommandFailure(
                .storeUnavailable, "\(address)/v1/backup answers \(report.status)", advice: "Check --service.")
        default:
            CommandFailure(
                .storeUnavailable, "\(address) does not answer: \(report.error)", advice: "Check --service.")
        }
    }

    private func incomplete(_ reason: String) -> CommandFailure {
        CommandFailure(
            .storeUnavailable, "\(address) has not sent a complete backup: \(reason)",
            advice: "The log of the service has the reason.")
    }
}

extension Setting {
    /// The service whose store is backed up.
    static let service = Setting("service", "The service that has the store open, which then writes the backup.")
    /// The access token for the service.
    static let serviceToken = Setting(
        "service-token", "The access token for --service, of an operator.", isSecret: true)
}
