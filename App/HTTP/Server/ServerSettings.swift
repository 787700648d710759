public import LarderApp
public import Logging

/// Where a server listens, who may read, and how far it lets its clients go.
public struct ServerSettings: Sendable, Equatable {
    /// Who ends TLS.
    public enum TLS: String, CaseIterable, Sendable {
        /// Nobody: the server listens on this machine alone.
        case none
        /// A proxy before the server, which nobody can get around.
        case upstream
        /// The service itself; see ``ServiceAPI/server(_:)``.
        case service
    }

    /// Who may read what is not private.
    public enum Reading: String, CaseIterable, Sendable {
        /// Everybody.
        case open
        /// Who is signed in.
        case closed
    }

    /// The name or address that it listens on.
    public let host: String
    /// The port; 0 for any that is free.
    public let port: Int
    /// Who ends TLS.
    public let tls: TLS
    /// Who may read what is not private.
    public let reading: Reading
    /// The lowest level of log entries that are written.
    public let logLevel: Logger.Level
    /// What a client may use.
    public let limits: ServerLimits

    /// Takes settings that are known.
    public init(
        host: String = "127.0.0.1", port: Int = 8080, tls: TLS = .none, reading: Reading = .open,
        logLevel: Logger.Level = .info, limits: ServerLimits = ServerLimits()
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.reading = reading
        self.logLevel = logLevel
        self.limits = limits
    }

    /// Reads the settings that hold. What is wrong is kept by the reader, whose `check()` must be called before these
    /// are used.
    public init(_ reader: inout SettingReader) {
        host = reader.parsed(.httpHost, "127.0.0.1", "is no name or address of this machine") { Self.host($0) }
        port = reader.integer(.httpPort, default: 8080, in: 0...65_535)
        tls = reader.word(.httpTLS, default: .none)
        reading = reader.word(.httpReading, default: .open)
        logLevel = reader.word(.logLevel, default: .info)
        limits = ServerLimits(&reader)
        guard !isLoopback, tls == .none else { return }
        let found = reader.read { sources throws(CommandFailure) in try sources.value(of: .httpHost) }
        if let found {
            reader.refuse(
                found,
                """
                other machines can reach '\(host)', and tokens would travel in the clear; \
                let a proxy end TLS and set http-tls to upstream, or listen on 127.0.0.1
                """)
        }
    }

    /// Whether only programs on this machine can reach the server.
    public var isLoopback: Bool {
        guard host != "localhost", host != "::1" else { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// What a browser on this machine opens.
    public func address(port: Int) -> String {
        "\(tls == .service ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// An address with or without brackets, or a name.
    private static func host(_ text: String) -> String? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let bare = isBracketed ? String(text.dropFirst().dropLast()) : text
        return HostField.isValid(bare.contains(":") ? "[\(bare)]" : bare) ? bare : nil
    }
}

extension Setting {
    /// The name or address to listen on.
    public static let httpHost = Setting("http-host")
    /// The port to listen on.
    public static let httpPort = Setting("http-port")
    /// Who ends TLS.
    public static let httpTLS = Setting("http-tls")
    /// Who may read what is not private.
    public static let httpReading = Setting("http-reading")
    /// The lowest level of log entries that are written.
    public static let logLevel = Setting("log-level")
}
