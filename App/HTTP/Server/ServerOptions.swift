public import ArgumentParser
public import LarderApp
internal import Logging

/// The options of a command that serves. All other limits are set in the environment or the settings file.
public struct ServerOptions: SettingOptions {
    /// See the help.
    @Option(
        name: .customLong("http-host"),
        help: ArgumentHelp(
            "The name or address to listen on.", discussion: "Also \(Setting.httpHost.variable). Default: 127.0.0.1.",
            valueName: "host"))
    public var host: String?

    /// See the help.
    @Option(
        name: .customLong("http-port"),
        help: ArgumentHelp(
            "The port to listen on; 0 selects a free port.",
            discussion: "Also \(Setting.httpPort.variable). Default: 8080.",
            valueName: "port"))
    public var port: String?

    /// See the help.
    @Option(
        name: .customLong("http-tls"),
        help: ArgumentHelp(
            "Where TLS is terminated: none, upstream (in a proxy), or service.",
            discussion: "Also \(Setting.httpTLS.variable). Default: none, for clients on this machine.",
            valueName: "who"),
        completion: .list(ServerSettings.TLS.allCases.map(\.rawValue)))
    public var tls: String?

    /// See the help.
    @Option(
        name: .customLong("http-reading"),
        help: ArgumentHelp(
            "Who may read public data: open (all callers) or closed (authenticated callers).",
            discussion: "Also \(Setting.httpReading.variable). Default: open.", valueName: "who"),
        completion: .list(ServerSettings.Reading.allCases.map(\.rawValue)))
    public var reading: String?

    /// See the help.
    @Option(
        help: ArgumentHelp(
            "The lowest level of log entries: trace, debug, info, notice, warning, error, or critical.",
            discussion: "Also \(Setting.logLevel.variable). Default: info.", valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    public var logLevel: String?

    /// For the parser.
    public init() {}

    /// The values by their settings, for ``StoreOptions/sources(with:in:)``.
    public var flags: [Setting: String?] {
        [.httpHost: host, .httpPort: port, .httpTLS: tls, .httpReading: reading, .logLevel: logLevel]
    }
}
