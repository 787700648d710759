public import LarderApp

/// The settings of a service.
public struct ServiceSettings: Sendable, Equatable {
    /// The store.
    public let store: StoreSettings
    /// The server.
    public let server: ServerSettings
    /// Whether a token is printed at each start, for a developer's own machine.
    public let isDevelopment: Bool

    /// Takes settings that are known.
    public init(store: StoreSettings, server: ServerSettings = ServerSettings(), isDevelopment: Bool = false) {
        self.store = store
        self.server = server
        self.isDevelopment = isDevelopment
    }

    /// Reads the effective settings. The reader keeps errors; call its `check()` before you use the settings.
    public init(_ reader: inout SettingReader, isDevelopment: Bool) {
        store = StoreSettings(&reader)
        server = ServerSettings(&reader)
        self.isDevelopment = isDevelopment
        guard isDevelopment, !server.isLoopback else { return }
        let host = reader.read { sources throws(CommandFailure) in try sources.value(of: .httpHost) }
        if let host { reader.refuse(host, "a token is printed with --development; listen on 127.0.0.1 then") }
    }
}
