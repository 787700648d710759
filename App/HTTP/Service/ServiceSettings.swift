public import LarderApp

/// The settings of a service.
public struct ServiceSettings: Sendable, Equatable {
    /// The settings of the store.
    public let store: StoreSettings
    /// The settings of the server.
    public let server: ServerSettings
    /// The name of the first operator, if there is none yet.
    public let firstOperator: String?
    /// Whether a token is printed at each start, for a developer's own machine.
    public let isDevelopment: Bool

    /// Makes settings; by default, of the standard server, without a first operator and not for development.
    public init(
        store: StoreSettings, server: ServerSettings = ServerSettings(), firstOperator: String? = nil,
        isDevelopment: Bool = false
    ) {
        (self.store, self.server) = (store, server)
        (self.firstOperator, self.isDevelopment) = (firstOperator, isDevelopment)
    }

    /// Reads the effective settings. The reader keeps errors; call its `check()` before you use the settings.
    public init(_ reader: inout SettingReader, isDevelopment: Bool) {
        store = StoreSettings(&reader)
        server = ServerSettings(&reader)
        firstOperator = reader.value(.firstOperator)
        self.isDevelopment = isDevelopment
        guard isDevelopment, !server.isLoopback else { return }
        if let host = reader.effective(.httpHost) {
            reader.refuse(host, "--development prints a token; listen on 127.0.0.1 with it")
        }
    }
}
