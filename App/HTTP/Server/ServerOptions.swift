public import ArgumentParser
public import LarderApp
internal import LarderData
internal import Logging

/// The options of a command that serves. All other limits are set in the environment or the settings file.
public struct ServerOptions: SettingOptions {
    /// See the help.
    @Option(
        name: .customLong("http-host"),
        help: Setting.httpHost.help(default: "127.0.0.1", valueName: "host"))
    public var host: String?

    /// See the help.
    @Option(
        name: .customLong("http-port"),
        help: Setting.httpPort.help(default: "8080", valueName: "port"))
    public var port: String?

    /// See the help.
    @Option(
        name: .customLong("http-tls"),
        help: Setting.httpTLS.help(default: "none, for clients on this machine", valueName: "who"),
        completion: .list(ServerSettings.TLS.allCases.map(\.rawValue)))
    public var tls: String?

    /// See the help.
    @Option(
        name: .customLong("http-reading"),
        help: Setting.httpReading.help(default: "open", valueName: "who"),
        completion: .list(ServerSettings.Reading.allCases.map(\.rawValue)))
    public var reading: String?

    /// See the help.
    @Option(
        help: Setting.migrations.help(default: "additions", valueName: "which"),
        completion: .list(MigrationOptions.Mode.allCases.map(\.rawValue)))
    public var migrations: String?

    /// See the help.
    @Option(
        help: Setting.logLevel.help(default: "info", valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    public var logLevel: String?

    /// For the parser.
    public init() {}

    /// The values by their settings, for `StoreOptions.sources(with:in:)`.
    public var flags: [Setting: String?] {
        [
            .httpHost: host, .httpPort: port, .httpTLS: tls, .httpReading: reading, .migrations: migrations,
            .logLevel: logLevel,
        ]
    }
}
