internal import CoreMetrics
internal import LarderData
internal import LarderDomain
internal import LarderFollowers
internal import Logging

/// The log and the metrics of followers and recurring work.
struct FollowerObserver: Sendable {
    let journal: JournalBounds
    let metrics: any MetricsFactory
    let logger: Logger

    /// Logs a notice.
    func note(_ notice: FollowerNotice) {
        switch notice {
        case .failed(let name, let error):
            Counter(label: "follower_failures_total", dimensions: [("follower", name)], factory: metrics).increment()
            logger.warning(
                "a follower has failed, and repeats", metadata: ["follower": "\(name)", "error": "\(error)"])
        case .setAside(let name, let token, let error):
            logger.error(
                "a follower has set a commit aside",
                metadata: ["follower": "\(name)", "commit": "\(token)", "error": "\(error)"])
        case .stopped(let name, let reason):
            logger.error("a follower has stopped", metadata: ["follower": "\(name)", "reason": "\(reason)"])
        case .interrupted(let name, let error):
            logger.warning("a follower is interrupted", metadata: ["follower": "\(name)", "error": "\(error)"])
        case .handled(let name, let commits, _):
            logger.debug("handled", metadata: ["follower": "\(name)", "commits": "\(commits)"])
        case .done(let name, let tick):
            logger.debug("done", metadata: ["work": "\(name)", "tick": "\(tick)"])
        }
    }

    /// Sets the gauges, and logs that a follower is late, once until it is not.
    ///
    /// The limits are a tenth of the unread changes and half of the age that the journal retains.
    func measure(_ statuses: [FollowerStatus], _ late: inout Set<String>) {
        for status in statuses {
            func gauge(_ label: String) -> Meter {
                Meter(label: label, dimensions: [("follower", status.name)], factory: metrics)
            }
            let age = Duration.microseconds(
                status.oldest.map { Timestamp.now().microseconds - $0.microseconds } ?? 0)
            gauge("follower_set_aside").set(status.setAside)
            gauge("follower_stopped").set(status.isStopped ? 1 : 0)
            gauge("follower_lag_seconds").set(age / .seconds(1))
            guard let lag = status.lag else { continue }
            gauge("follower_lag_commits").set(lag)
            guard lag > journal.unread / 10 || age > journal.age / 2 else {
                late.remove(status.name)
                continue
            }
            guard late.insert(status.name).inserted else { continue }
            logger.warning(
                "a follower is late; the journal drops changes beyond its bounds",
                metadata: ["follower": "\(status.name)", "commits": "\(lag)", "age": "\(age)"])
        }
    }
}
