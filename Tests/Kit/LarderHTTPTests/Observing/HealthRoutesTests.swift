import CoreMetrics
import HTTPTypes
import Hummingbird
import LarderHTTP
import Synchronization
import Testing

@Suite("Health and metrics routes")
struct HealthRoutesTests {
    private func client(
        _ readiness: Readiness, _ metrics: PrometheusMetrics = PrometheusMetrics(help: [:])
    ) -> RouterClient {
        let router = Router(context: TestContext.self)
        HealthRoutes(readiness).add(to: router)
        MetricsRoutes(metrics).add(to: router)
        return RouterClient(router, logger: LogRecorder().logger())
    }

    @Test(arguments: [
        (StoreHealth.writable, 200, #"{"status":"ready","writes":true}"#),
        (.readOnly("full"), 200, #"{"status":"ready","writes":false,"reason":"full"}"#),
        (.unusable("closed"), 503, #"{"status":"unready","writes":false,"reason":"closed"}"#),
    ]) func `readiness is that of the store`(health: StoreHealth, status: Int, body: String) async throws {
        let answer = try await client(Readiness { health }).send("/health/ready")
        #expect(answer.status.code == status)
        #expect(answer.body == body)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.contentType] == "application/json")
    }

    @Test func `live answers whatever the store does, and while the service drains, which ready does not`() async throws
    {
        let signal = ShutdownSignal()
        let readiness = Readiness(signal: signal) { .unusable("failed") }
        signal.give()
        let client = client(readiness)
        let live = try await client.send("/health/live")
        #expect(live.status == .ok)
        #expect(live.body == #"{"status":"live"}"#)
        let ready = try await client.send("/health/ready")
        #expect(ready.status == .serviceUnavailable)
        #expect(ready.body == #"{"status":"draining"}"#)
    }

    @Test func `metrics are text of version 0_0_4`() async throws {
        let metrics = PrometheusMetrics(help: [:])
        Counter(label: "n_total", factory: metrics).increment()
        let answer = try await client(Readiness { .writable }, metrics).send("/metrics")
        #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.body == "# TYPE n_total counter\nn_total 1\n")
    }
}
