import Foundation
import HTTPTypes
import LarderApp
import Logging
import Testing

@testable import LarderHTTP

/// The settings of proxies, origins and pages in a service that runs.
struct LimitRunTests {
    @Test func `a service uses its settings, and its log has clients' addresses only behind a trusted proxy`()
        async throws
    {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            JSONLogHandler.bootstrap(metadataProvider: nil)
            let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
            let proxies = try ["127.0.0.1", "::1"].map { try #require(AddressRange($0)) }
            for ranges in [proxies, []] {
                try await ReadersService.run(
                    proxies: ranges, origins: ["https://app.example"], pagePolicy: "default-src 'self'"
                ) { service in
                    try await service.client.withHTTP2 { connection in
                        let answer = try await connection.send(
                            .get, "/v1/me", headers: [forwarded: "203.0.113.5", .origin: "https://app.example"])
                        #expect(answer.heads.first?.headerFields[.accessControlAllowOrigin] == "https://app.example")
                        let page = try await connection.send(.get, "/docs", headers: [:])
                        #expect(page.heads.first?.headerFields[.contentSecurityPolicy] == "default-src 'self'")
                    }
                    // Other responses keep the policy of their own.
                    let document = try await service.client.withHTTP2 {
                        try await $0.send(.get, "/openapi.json", headers: [:])
                    }
                    let policy = document.heads.first?.headerFields[.contentSecurityPolicy]
                    #expect(policy?.hasSuffix("; sandbox") == true)
                }
            }
            await LogSink.standardError.flush(within: .seconds(10))
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        let requests = lines.filter { $0.contains(#""message":"request""#) }
        #expect(requests.count == 6)
        let clients = requests.map { $0.firstMatch(of: /"client":"([^"]*)"/).map { String($0.output.1) } }
        #expect(clients == ["203.0.113.5", "127.0.0.1", "127.0.0.1", nil, nil, nil])
    }
}
