public import LarderApp
internal import LarderDomain
public import Logging

/// The settings of a server: its address, who may read, and the limits for clients.
public struct ServerSettings: Sendable, Equatable {
    /// Where TLS is terminated.
    public enum TLS: String, CaseIterable, Sendable {
        /// Nowhere: the server listens only on this machine.
        case none
        /// In a proxy in front of the server, which clients cannot bypass.
        case upstream
        /// In the service; see ``ServiceAPI/server(_:)``.
        case service
    }

    /// Who may read resources that are not private.
    public enum Reading: String, CaseIterable, Sendable {
        /// All callers, also anonymous ones.
        case open
        /// Only authenticated callers.
        case closed
    }

    /// The name or address to listen on.
    public let host: String
    /// The port; 0 for any free one.
    public let port: Int
    /// Where TLS is terminated.
    public let tls: TLS
    /// Who may read resources that are not private.
    public let reading: Reading
    /// The proxies whose `Forwarded` and `X-Forwarded-For` are trusted; with any, the log has clients' addresses.
    public let trustedProxies: [AddressRange]
    /// The origins whose pages may send requests and read responses.
    public let corsOrigins: [String]
    /// The content security policy of pages; `nil` for ``ServicePages/policy``.
    public let pagePolicy: String?
    /// The lowest level of log entries that are written.
    public let logLevel: Logger.Level
    /// The limits for clients.
    public internal(set) var limits: ServerLimits

    /// Makes settings from known values.
    public init(
        host: String = "127.0.0.1", port: Int = 8080, tls: TLS = .none, reading: Reading = .open,
        trustedProxies: [AddressRange] = [], corsOrigins: [String] = [], pagePolicy: String? = nil,
        logLevel: Logger.Level = .info, limits: ServerLimits = ServerLimits()
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.reading = reading
        (self.trustedProxies, self.corsOrigins, self.pagePolicy) = (trustedProxies, corsOrigins, pagePolicy)
        self.logLevel = logLevel
        self.limits = limits
    }

    /// Reads the effective settings. The reader keeps errors; call its `check()` before you use the settings.
    public init(_ reader: inout SettingReader) {
        host = reader.parsed(.httpHost, "127.0.0.1", "must be a host name or an IP address") { Self.host($0) }
        port = reader.integer(.httpPort, default: 8080, in: 0...65_535)
        tls = reader.word(.httpTLS, default: .none)
        reading = reader.word(.httpReading, default: .open)
        trustedProxies = reader.parsed(
            .httpTrustedProxies, [], "must be IP addresses or ranges such as 10.0.0.0/8, separated by commas"
        ) { Self.list($0, AddressRange.init) }
        corsOrigins = reader.parsed(
            .httpCORSOrigins, [], "must be origins such as https://app.example.org, separated by commas"
        ) { Self.list($0, Self.origin) }
        let policy = reader.parsed(.httpContentSecurityPolicy, "", "must be one line of ASCII characters") {
            $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? $0 : nil
        }
        pagePolicy = policy.isEmpty ? nil : policy
        logLevel = reader.word(.logLevel, default: .info)
        limits = ServerLimits(&reader)
        guard !isLoopback, tls == .none else { return }
        let found = reader.read { sources throws(CommandFailure) in try sources.value(of: .httpHost) }
        if let found {
            reader.refuse(
                found,
                """
                other machines can reach '\(host)', so tokens would be sent unencrypted; \
                terminate TLS in a proxy and set http-tls to upstream, or listen on 127.0.0.1
                """)
        }
    }

    /// Whether only programs on this machine can reach the server.
    public var isLoopback: Bool {
        guard host != "localhost", host != "::1" else { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The address for a browser on this machine.
    public func address(port: Int) -> String {
        "\(tls == .service ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The values of a list with commas.
    private static func list<Value>(_ text: String, _ parse: (String) -> Value?) -> [Value]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { String($0).trimmed.flatMap(parse) }
        return values.count == parts.count ? values : nil
    }

    /// An origin in the form of browsers: in lower case, without a path or a standard port.
    private static func origin(_ text: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text == text.lowercased(),
            HostField.isValid(String(text.dropFirst(scheme.count)))
        else { return nil }
        return [":", ":80", ":443"].contains(where: text.hasSuffix) ? nil : text
    }

    /// A name, or an address with or without brackets.
    private static func host(_ text: String) -> String? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let bare = isBracketed ? String(text.dropFirst().dropLast()) : text
        return HostField.isValid(bare.contains(":") ? "[\(bare)]" : bare) ? bare : nil
    }
}

extension Setting {
    /// The name or address to listen on.
    public static let httpHost = Setting("http-host", "The name or address to listen on.")
    /// The port to listen on.
    public static let httpPort = Setting("http-port", "The port to listen on; 0 selects a free port.")
    /// Where TLS is terminated.
    public static let httpTLS = Setting(
        "http-tls",
        """
        Where TLS is terminated: none, upstream (in a proxy), or service. With none, the server listens on loopback \
        addresses only.
        """)
    /// Who may read resources that are not private.
    public static let httpReading = Setting(
        "http-reading", "Who may read public data: open (all callers) or closed (authenticated callers).")
    /// The proxies whose fields are trusted.
    public static let httpTrustedProxies = Setting(
        "http-trusted-proxies",
        "The proxies, such as 10.0.0.0/8, whose Forwarded and X-Forwarded-For name clients in the log.")
    /// The origins of other pages.
    public static let httpCORSOrigins = Setting(
        "http-cors-origins", "The origins, such as https://app.example.org, whose pages may use the API.")
    /// The content security policy of pages.
    public static let httpContentSecurityPolicy = Setting(
        "http-content-security-policy", "Replaces the content security policy of HTML pages.")
    /// The lowest level of log entries that are written.
    public static let logLevel = Setting("log-level", "The lowest level of log entries: \(Logger.Level.words).")
}
