internal import LarderApp

extension ServerLimits {
    /// Reads the effective limits; the reader keeps errors.
    init(_ reader: inout SettingReader) {
        for (setting, path, range) in Self.times {
            self[keyPath: path] = reader.duration(setting, default: self[keyPath: path], in: range)
        }
        for (setting, path, range) in Self.numbers {
            self[keyPath: path] = reader.integer(setting, default: self[keyPath: path], in: range)
        }
    }

    private typealias Time = (Setting, any WritableKeyPath<Self, Duration> & Sendable, ClosedRange<Duration>)
    private typealias Number = (Setting, any WritableKeyPath<Self, Int> & Sendable, ClosedRange<Int>)

    private static let short: ClosedRange<Duration> = .milliseconds(50) ... .seconds(600)

    private static let times: [Time] = [
        (Setting("http-header-timeout"), \.headerTimeout, short),
        (Setting("http-body-timeout"), \.bodyTimeout, short),
        (Setting("http-rate-window"), \.rateWindow, short),
        (Setting("http-idle-timeout"), \.idleTimeout, .milliseconds(50) ... .seconds(3600)),
        (Setting("http-stall-timeout"), \.stallTimeout, short),
        (Setting("http-request-timeout"), \.requestTimeout, short),
        (Setting("http-drain-timeout"), \.drainTimeout, .milliseconds(0) ... .seconds(60)),
    ]

    private static let numbers: [Number] = [
        (Setting("http-body-rate"), \.bodyRate, 1...1_000_000_000),
        (Setting("http-max-header-bytes"), \.headerBytes, 1024...1_048_576),
        (Setting("http-max-header-fields"), \.headerFields, 8...1000),
        (Setting("http-max-target-bytes"), \.targetBytes, 256...65_536),
        (Setting("http-max-json-bytes"), \.jsonBodyBytes, 1024...67_108_864),
        (Setting("http-max-connections"), \.connections, 1...65_536),
        (Setting("http-max-requests"), \.requestsInFlight, 1...65_536),
        (Setting("http-max-requests-per-user"), \.requestsPerCaller, 1...65_536),
    ]
}

extension ServerLimits {
    /// The configured limits, valid or invalid.
    static func effective(in sources: SettingSources) throws(CommandFailure) -> [EffectiveSetting] {
        let standard = ServerLimits()
        let defaults =
            times.map { ($0.0, standard[keyPath: $0.1].settingText) }
            + numbers.map { ($0.0, String(standard[keyPath: $0.1])) }
        var all: [EffectiveSetting] = []
        for (setting, text) in defaults { all.append(try sources.number(of: setting, default: text)) }
        return all
    }
}
