internal import LarderApp

extension ServerLimits {
    /// Reads the effective limits; the reader keeps errors.
    init(_ reader: inout SettingReader) {
        for time in Self.times {
            self[keyPath: time.path] = reader.duration(time.setting, default: self[keyPath: time.path], in: time.range)
        }
        for number in Self.numbers {
            let standard = self[keyPath: number.path]
            self[keyPath: number.path] = reader.integer(number.setting, default: standard, in: number.range)
        }
        guard requestBurst > 0, requestRate == 0, let burst = reader.effective(Setting("http-request-burst", "")) else {
            return
        }
        reader.refuse(burst, "http-request-burst needs http-request-rate")
    }

    /// A limit with its setting.
    private struct Limit<Value: Comparable & Sendable>: Sendable {
        let setting: Setting
        let path: any WritableKeyPath<ServerLimits, Value> & Sendable
        let range: ClosedRange<Value>
    }

    private static func time(
        _ name: String, _ path: any WritableKeyPath<Self, Duration> & Sendable, _ meaning: String,
        in range: ClosedRange<Duration> = .milliseconds(50) ... .seconds(600)
    ) -> Limit<Duration> {
        let bounds = "from \(range.lowerBound.settingText) to \(range.upperBound.settingText)"
        return Limit(setting: Setting(name, "\(meaning), \(bounds)."), path: path, range: range)
    }

    private static func number(
        _ name: String, _ path: any WritableKeyPath<Self, Int> & Sendable, _ meaning: String, in range: ClosedRange<Int>
    ) -> Limit<Int> {
        let bounds = "from \(range.lowerBound) to \(range.upperBound)"
        return Limit(setting: Setting(name, "\(meaning), \(bounds)."), path: path, range: range)
    }

    private static let times = [
        time("http-header-timeout", \.headerTimeout, "The maximum time for the head of a request"),
        time("http-body-timeout", \.bodyTimeout, "The maximum time for a body of at most http-max-json-bytes"),
        time("http-rate-window", \.rateWindow, "The time over which http-body-rate is measured"),
        time(
            "http-idle-timeout", \.idleTimeout, "The maximum time between requests of a connection",
            in: .milliseconds(50) ... .seconds(3600)),
        time("http-stall-timeout", \.stallTimeout, "The maximum time without progress of a response"),
        time(
            "http-request-timeout", \.requestTimeout,
            "The maximum time for the work on a request, restarted by each piece of its body"),
        time(
            "http-drain-timeout", \.drainTimeout, "The maximum time for requests in progress when the service stops",
            in: .milliseconds(0) ... .seconds(60)),
        time(
            "http-stream-lifetime", \.streamLifetime,
            "The maximum time of a change stream, after which clients reconnect and resume",
            in: .seconds(1) ... .seconds(86_400)),
    ]

    private static let numbers = [
        number(
            "http-body-rate", \.bodyRate,
            "The minimum rate of a longer body in bytes per second, over each http-rate-window", in: 1...1_000_000_000),
        number(
            "http-max-header-bytes", \.headerBytes, "The maximum size of a request's fields and target in bytes",
            in: 1024...1_048_576),
        number("http-max-header-fields", \.headerFields, "The maximum number of a request's fields", in: 8...1000),
        number(
            "http-max-target-bytes", \.targetBytes, "The maximum size of a request's target in bytes",
            in: 256...65_536),
        number(
            "http-max-json-bytes", \.jsonBodyBytes, "The maximum size of a JSON body in bytes", in: 1024...67_108_864),
        number(
            "http-max-connections", \.connections,
            "The maximum number of connections at a time, beyond which 503 is sent", in: 1...65_536),
        number(
            "http-max-requests", \.requestsInFlight,
            "The maximum number of requests at a time, three quarters of them without a token, beyond which 503 is sent",
            in: 1...65_536),
        number(
            "http-max-requests-per-user", \.requestsPerCaller,
            "The maximum number of requests of one user at a time, beyond which 429 is sent", in: 1...65_536),
        number(
            "http-max-keys-per-user", \.keysPerCaller,
            "The maximum number of idempotency keys of one user in 24 hours, beyond which 429 is sent",
            in: 1...1_000_000),
        number(
            "http-max-streams", \.streams,
            "The maximum number of change streams at a time, half of them without a token, beyond which 503 is sent",
            in: 1...65_536),
        number(
            "http-max-streams-per-user", \.streamsPerCaller,
            "The maximum number of change streams of one user at a time, beyond which 429 is sent", in: 1...65_536),
        number(
            "http-request-rate", \.requestRate,
            "The maximum rate of one user's requests per second, beyond which 429 is sent; unlimited by default",
            in: 1...1_000_000),
        number(
            "http-request-burst", \.requestBurst,
            "The maximum number of one user's requests at once; by default http-request-rate", in: 1...1_000_000),
        number(
            "http-anonymous-rate", \.anonymousRate,
            "The maximum rate of all requests without a valid token; by default http-request-rate", in: 1...1_000_000),
    ]
}

extension ServerLimits {
    /// The configured limits, valid or invalid.
    static func effective(in sources: SettingSources) throws(CommandFailure) -> [EffectiveSetting] {
        let standard = ServerLimits()
        // A limit of 0 is off.
        let defaults =
            times.map { ($0.setting, standard[keyPath: $0.path].settingText) }
            + numbers.map { ($0.setting, standard[keyPath: $0.path]) }.map { ($0, $1 == 0 ? nil : String($1)) }
        var all: [EffectiveSetting] = []
        for (setting, text) in defaults { all.append(try sources.number(of: setting, default: text)) }
        return all
    }
}
