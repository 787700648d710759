import Testing

@testable import LarderApp
@testable import LarderHTTP

/// The settings of rates, proxies, origins and the policy of pages.
struct LimitSettingsTests {
    private func settings(_ variables: [String: String]) async throws -> ServerSettings {
        let named = variables.map { ("SERVICE_HTTP_" + $0.uppercased().replacing("-", with: "_"), $1) }
        let environment = UserEnvironment(["XDG_CONFIG_HOME": "/nowhere"].merging(named) { $1 })
        var reader = SettingReader(try await SettingSources(flags: [:], environment: environment))
        let settings = ServerSettings(&reader)
        try reader.check()
        return settings
    }

    @Test func `the settings have an effect`() async throws {
        let found = try await settings([
            "request-rate": "50", "request-burst": "200", "anonymous-rate": "500",
            "trusted-proxies": "10.0.0.0/8, ::1", "cors-origins": "https://app.example , http://[::1]:3000",
            "content-security-policy": "default-src 'self'",
        ])
        #expect(found.limits.requestRate == 50 && found.limits.requestBurst == 200 && found.limits.anonymousRate == 500)
        #expect(found.trustedProxies == [AddressRange("10.0.0.0/8"), AddressRange("::1")])
        #expect(found.corsOrigins == ["https://app.example", "http://[::1]:3000"])
        #expect(found.pagePolicy == "default-src 'self'")
    }

    @Test(arguments: [
        ("request-rate", "0"), ("request-rate", "-1"), ("request-rate", "1.5"), ("request-rate", "1000001"),
        ("request-burst", "0"), ("anonymous-rate", "0"), ("anonymous-rate", "many"),
        ("trusted-proxies", "10.0.0.0/33"), ("trusted-proxies", "10.0.0.1,"), ("trusted-proxies", "proxy.example"),
        ("trusted-proxies", "10.0.0. 1"), ("trusted-proxies", "10.0.0.1 10.0.0.2"),
        ("cors-origins", "*"), ("cors-origins", "null"), ("cors-origins", "app.example"),
        ("cors-origins", "https://app.example/"), ("cors-origins", "https://*.example"),
        ("cors-origins", "https://App.example"), ("cors-origins", "https://app.example:443"),
        ("cors-origins", "http://app.example:80"), ("cors-origins", "https://app.example:"),
        ("cors-origins", "https://a.example;https://b.example"), ("cors-origins", "file://a"),
        ("content-security-policy", "default-src 'self'\nX: y"), ("content-security-policy", "ä"),
    ])
    func `an invalid value is refused with the name of its setting`(name: String, value: String) async throws {
        // A rate, so that a burst is not refused for its absence.
        let failure = await #expect(throws: CommandFailure.self) {
            try await settings(["request-rate": "1"].merging([name: value]) { $1 })
        }
        #expect(failure?.status == .configuration)
        #expect(failure?.message.contains("invalid http-\(name) '\(value)': must be ") == true)
    }

    @Test func `a burst needs a rate`() async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await settings(["request-burst": "5"]) }
        #expect(failure?.message.contains("http-request-burst needs http-request-rate") == true)
    }
}
