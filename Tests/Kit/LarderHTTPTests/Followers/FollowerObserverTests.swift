import CoreMetrics
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import Logging
import Synchronization
import Testing

@testable import LarderFollowers
@testable import LarderFollowersService

/// The log and the metrics of followers.
struct FollowerObserverTests {
    /// The messages of a log.
    final class Lines: LogHandler, Sendable {
        let texts = Mutex<[String]>([])
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .info }
            set {}
        }
        subscript(metadataKey _: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }
        func log(event: LogEvent) {
            texts.withLock { $0.append("\(event.level) \(event.message) \(event.metadata?["follower"] ?? "")") }
        }
    }

    private let metrics = PrometheusMetrics()
    private let lines = Lines()
    private var observer: FollowerObserver {
        FollowerObserver(
            journal: JournalBounds(), metrics: metrics, logger: Logger(label: "test", factory: { [lines] _ in lines }))
    }

    private func status(_ name: String, lag: Int?, age: Duration = .zero, isStopped: Bool = false) -> FollowerStatus {
        FollowerStatus(
            name: name, entities: [], hasHandler: true, position: nil, lag: lag, oldest: .now().adding(.zero - age),
            attempts: 0, failure: nil, isStopped: isStopped, setAside: 2)
    }

    @Test func `each follower has its gauges, and a late one is logged once until it is not late`() {
        var late: Set<String> = []
        observer.measure([status("a", lag: 7, age: .seconds(90), isStopped: true), status("b", lag: 0)], &late)
        let text = metrics.text()
        for line in [
            #"follower_lag_commits{follower="a"} 7"#, #"follower_stopped{follower="a"} 1"#,
            #"follower_set_aside{follower="b"} 2"#, #"follower_lag_seconds{follower="a"} 90"#,
        ] { #expect(text.contains(line), "\(text)") }
        #expect(lines.texts.withLock(\.self).isEmpty)
        let behind = [status("a", lag: 100_001), status("b", lag: 1, age: .seconds(4 * 86_400))]
        for _ in 0..<2 { observer.measure(behind, &late) }
        observer.measure([status("a", lag: 100_000)], &late)
        observer.measure(behind, &late)
        let warning = "warning a follower is late; the journal drops changes beyond its bounds"
        #expect(lines.texts.withLock(\.self) == ["\(warning) a", "\(warning) b", "\(warning) a"])
    }

    @Test func `a failure is counted and logged, and work that succeeds is not logged at the standard level`() throws {
        struct Failed: Error {}
        let token = try #require(ChangeToken("98a681e9a29c571f-10"))
        observer.note(.failed("a", Failed()))
        observer.note(.setAside("a", at: token, Failed()))
        observer.note(.stopped("a", reason: "no"))
        observer.note(.handled("a", commits: 1, upTo: token))
        observer.note(.done("a", tick: .now()))
        #expect(metrics.text().contains(#"follower_failures_total{follower="a"} 1"#))
        #expect(
            lines.texts.withLock(\.self) == [
                "warning a follower has failed, and repeats a", "error a follower has set a commit aside a",
                "error a follower has stopped a",
            ])
    }
}
