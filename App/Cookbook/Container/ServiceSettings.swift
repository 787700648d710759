internal import LarderApp
internal import LarderHTTP

/// What `larder serve` is set to.
struct ServiceSettings: Sendable, Equatable {
    let store: StoreSettings
    let server: ServerSettings
    /// Whether a developer looks at it: a token is printed at each start.
    let isDevelopment: Bool

    /// Takes settings that are known.
    init(store: StoreSettings, server: ServerSettings = ServerSettings(), isDevelopment: Bool = false) {
        self.store = store
        self.server = server
        self.isDevelopment = isDevelopment
    }

    /// The settings that hold.
    ///
    /// - Throws: `CommandFailure` naming all that is wrong.
    init(_ sources: SettingSources, isDevelopment: Bool) throws(CommandFailure) {
        var reader = SettingReader(sources)
        store = StoreSettings(&reader)
        server = ServerSettings(&reader)
        if isDevelopment, !server.isLoopback {
            reader.refuse(
                try sources.value(of: .httpHost), "a token is printed with --development; listen on 127.0.0.1 then")
        }
        self.isDevelopment = isDevelopment
        try reader.check()
    }
}
