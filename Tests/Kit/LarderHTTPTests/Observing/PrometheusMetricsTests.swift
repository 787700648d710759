import CoreMetrics
import Testing

@testable import LarderHTTP

@Suite("Prometheus metrics")
struct PrometheusMetricsTests {
    @Test func `the text is that of the exposition format, sorted, with cumulative buckets`() {
        let metrics = PrometheusMetrics(help: ["b_total": "Counts \\ and\nmore.", "d_seconds": "Takes."])
        Counter(label: "b_total", dimensions: [("x", "2"), ("a", "q\"\\\n")], factory: metrics).increment(by: 3)
        Counter(label: "b_total", dimensions: [("a", "1"), ("x", "1")], factory: metrics).increment()
        FloatingPointCounter(label: "f_total", factory: metrics).increment(by: 0.5)
        let meter = Meter(label: "a.gauge", factory: metrics)
        meter.set(5)
        meter.decrement(by: 7.5)
        Recorder(label: "g", aggregate: false, factory: metrics).record(-2)
        Recorder(label: "h", dimensions: [("le", "z")], aggregate: true, factory: metrics).record(4)
        let timer = Timer(label: "d_seconds", dimensions: [("route", "/")], factory: metrics)
        for nanoseconds: Int64 in [1_000_000, 1_000_001, 40_000_000, 60_000_000_000] {
            timer.recordNanoseconds(nanoseconds)
        }
        #expect(
            metrics.text() == """
                # TYPE a_gauge gauge
                a_gauge -2.5
                # HELP b_total Counts \\\\ and\\nmore.
                # TYPE b_total counter
                b_total{a="1",x="1"} 1
                b_total{a="q\\"\\\\\\n",x="2"} 3
                # HELP d_seconds Takes.
                # TYPE d_seconds histogram
                d_seconds_bucket{route="/",le="0.001"} 1
                d_seconds_bucket{route="/",le="0.0025"} 2
                d_seconds_bucket{route="/",le="0.005"} 2
                d_seconds_bucket{route="/",le="0.01"} 2
                d_seconds_bucket{route="/",le="0.025"} 2
                d_seconds_bucket{route="/",le="0.05"} 3
                d_seconds_bucket{route="/",le="0.1"} 3
                d_seconds_bucket{route="/",le="0.25"} 3
                d_seconds_bucket{route="/",le="0.5"} 3
                d_seconds_bucket{route="/",le="1"} 3
                d_seconds_bucket{route="/",le="2.5"} 3
                d_seconds_bucket{route="/",le="5"} 3
                d_seconds_bucket{route="/",le="10"} 3
                d_seconds_bucket{route="/",le="+Inf"} 4
                d_seconds_sum{route="/"} 60.042000001
                d_seconds_count{route="/"} 4
                # TYPE f_total counter
                f_total 0.5
                # TYPE g gauge
                g -2
                # TYPE h histogram
                h_bucket{exported_le="z",le="+Inf"} 1
                h_sum{exported_le="z"} 4
                h_count{exported_le="z"} 1

                """)
    }

    @Test func `beyond the limit, all values are in one series named other`() {
        let metrics = PrometheusMetrics(help: [:], seriesLimit: 2)
        for user in ["a", "b", "c", "d", "a"] {
            Counter(label: "n", dimensions: [("user", user)], factory: metrics).increment()
        }
        Counter(label: "n", dimensions: [("visitor", "e")], factory: metrics).increment()
        #expect(metrics.text() == "# TYPE n counter\nn{user=\"a\"} 2\nn{user=\"b\"} 1\nn{user=\"other\"} 3\n")
    }

    @Test func `each of a thousand routes has series of its requests`() {
        let metrics = PrometheusMetrics(help: [:])
        RequestMetrics.expect(routes: 1_000, in: metrics)
        let requests = RequestMetrics(metrics)
        for number in 0..<1_000 {
            for status in [200, 404] {
                requests.note(method: "GET", route: "/v1/\(number)", status: status, duration: .zero)
            }
        }
        let text = metrics.text()
        let labels = #"{http_request_method="GET",http_response_status_code="404",http_route="/v1/999"}"#
        #expect(!text.contains("other") && text.contains("http_server_request_duration_seconds_count\(labels) 1\n"))
        // Other metrics keep their limit.
        for number in 0...512 { Counter(label: "n", dimensions: [("user", "\(number)")], factory: metrics).increment() }
        #expect(metrics.text().contains("n{user=\"other\"} 1\n"))
    }

    @Test func `a name keeps its first type, and another one does no harm`() {
        let metrics = PrometheusMetrics(help: [:])
        Counter(label: "n", factory: metrics).increment()
        Meter(label: "n", factory: metrics).set(7)
        #expect(metrics.text() == "# TYPE n counter\nn 1\n")
    }

    @Test func `names are made valid, and a counter never falls`() {
        let metrics = PrometheusMetrics(help: [:])
        let counter = FloatingPointCounter(label: "9 lives.a-b", dimensions: [("größe", "ü")], factory: metrics)
        counter.increment(by: 2)
        counter.increment(by: -1)
        counter.increment(by: Double.nan)
        counter.increment(by: Double.infinity)
        #expect(metrics.text() == "# TYPE _9_lives_a_b counter\n_9_lives_a_b{gr__e=\"ü\"} 2\n")
    }

    @Test func `no increment of many threads is lost, and a destroyed counter keeps its value`() async {
        let metrics = PrometheusMetrics(help: [:])
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = Counter(label: "n", factory: metrics)
                    let timer = Timer(label: "t", factory: metrics)
                    for _ in 0..<2_000 {
                        counter.increment()
                        timer.recordNanoseconds(1)
                    }
                    counter.destroy()
                }
            }
        }
        let lines = metrics.text().split(separator: "\n")
        #expect(lines.contains("n 16000"))
        #expect(lines.contains("t_count 16000"))
    }
}
