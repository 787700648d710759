internal import LarderApp
internal import Logging

extension ServerSettings {
    /// The configured values for a server, valid or invalid.
    static func effective(in sources: SettingSources) throws(CommandFailure) -> [EffectiveSetting] {
        let standard = ServerSettings()
        return [
            try sources.value(of: .httpHost, default: standard.host),
            try sources.number(of: .httpPort, default: String(standard.port)),
            try sources.value(of: .httpTLS, default: standard.tls.rawValue),
            try sources.value(of: .httpReading, default: standard.reading.rawValue),
            try sources.value(of: .httpTrustedProxies),
            try sources.value(of: .httpCORSOrigins),
            try sources.value(of: .httpContentSecurityPolicy),
            try sources.value(of: .logLevel, default: standard.logLevel.rawValue),
        ] + (try ServerLimits.effective(in: sources))
    }
}
