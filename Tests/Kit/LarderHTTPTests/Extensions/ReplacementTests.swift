import Foundation
import HTTPTypes
import InMemoryTracing
import LarderApp
import LarderHTTP
import Logging
import MetricsTestKit
import Testing
import Tracing

struct ReplacementTests {
    /// A token for the service, valid now.
    private static func token(
        _ issuer: TestIssuer, _ key: TestKey? = nil, seconds: Double = 300, roles: [String] = []
    ) throws -> String {
        let now = Date().timeIntervalSince1970
        return try issuer.token(
            key,
            claims: [
                "aud": "readers", "iat": now, "exp": now + seconds, "realm_access": JSON.sorted(["roles": roles]),
            ])
    }

    @Test func `a JSON web token is accepted; one that has expired or that another key has signed is not`() async throws
    {
        try await ReadersService.run { service in
            let valid = try Self.token(service.issuer)
            let accepted = try await service.get("/v1/me", token: valid)
            let key = "\(service.issuer.url) ann"
            #expect(accepted.statuses == [200] && accepted.body == key)
            #expect(accepted.heads.first?.headerFields[.from] == key)
            let refused = [
                try Self.token(service.issuer, .es256("a")), try Self.token(service.issuer, seconds: -61),
                valid + "x", "x.y.z", "readers_0",
            ]
            for token in refused {
                let answer = try await service.get("/v1/me", token: token)
                #expect(answer.statuses == [401], "\(token)")
                #expect(answer.heads.first?.headerFields[.wwwAuthenticate] == #"Bearer realm="readers""#)
            }
            #expect(try await service.get("/v1/me").body == "nobody")
        }
    }

    @Test func `another backend receives the metrics, and /metrics is not there`() async throws {
        let metrics = TestMetrics()
        try await ReadersService.run(metrics: metrics) { service in
            let token = try Self.token(service.issuer, roles: ["metrics"])
            #expect(try await service.get("/metrics", token: token).statuses == [404])
            #expect(try await service.get("/v1/me").statuses == [200])
            let labels = [
                ("http_request_method", "GET"), ("http_route", "/v1/me"), ("http_response_status_code", "200"),
            ]
            #expect(try metrics.expectTimer("http_server_request_duration_seconds", labels).values.count == 1)
            #expect(try metrics.expectMeter("http_open_streams").lastValue == 0)
        }
        try await ReadersService.run { service in
            let token = try Self.token(service.issuer, roles: ["metrics"])
            let metrics = try await service.get("/metrics", token: token).body
            #expect(metrics.contains("http_open_streams 0\n"))
        }
    }

    @Test(arguments: [([], [403, 403]), (["metrics"], [200, 403]), (["backup", "friend"], [403, 200])])
    func `roles of the identity provider give the permissions of operators one by one`(
        roles: [String], statuses: [Int]
    ) async throws {
        try await ReadersService.run { service in
            let token = try Self.token(service.issuer, roles: roles)
            for (path, status) in zip(["/metrics", "/v1/backup"], statuses) {
                #expect(try await service.get(path, token: token).statuses == [status], "\(path)")
            }
        }
    }

    @Test func `a span has the request's id, and log lines have the span's trace`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let tracer = TestTracer()
            InstrumentationSystem.bootstrap(tracer)
            JSONLogHandler.bootstrap(metadataProvider: .trace)
            try await ReadersService.run(logLevel: .debug) { service in
                Logger(label: "library").debug("from a library")
                let answer = try await service.get("/v1/me", id: "request-7")
                #expect(answer.heads.first?.headerFields[.xRequestID] == "request-7")
                let isRequest = { (span: FinishedInMemorySpan) in span.operationName == "/v1/me" }
                try await until { tracer.base.finishedSpans.contains(where: isRequest) }
                let span = try #require(tracer.base.finishedSpans.first(where: isRequest))
                #expect(span.attributes["http.response.header.x_request_id"]?.toSpanAttribute() == .string("request-7"))
                #expect(span.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
                // The id of the trace is checked in the log.
                FileHandle.standardError.write(Data("trace \(span.traceID)\n".utf8))
            }
            await LogSink.standardError.flush(within: .seconds(10))
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        let trace = try #require(lines.first { $0.hasPrefix("trace ") }).dropFirst(6)
        let request = try #require(lines.first { $0.contains(#""message":"request""#) })
        #expect(request.contains(#""request_id":"request-7""#) && request.contains(#""trace_id":"\#(trace)""#))
        #expect(lines.contains { $0.contains(#""logger":"library""#) && $0.contains(#""message":"from a library""#) })
    }
}
