internal import HTTPTypes
internal import LarderHTTP
internal import Logging

/// Keeps the keys of an issuer, and fetches them when tokens need it: one fetch at a time, for all tokens that wait.
actor OpenIDKeys {
    private let configuration: OpenIDConfiguration
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The keys, and the start of their fetch.
    private var known: (set: OpenIDKeySet, start: ContinuousClock.Instant)?
    /// The start of the last fetch, and whether it failed.
    private var last: (start: ContinuousClock.Instant, failed: Bool)?
    private var running: Task<Void, Never>?

    init(_ configuration: OpenIDConfiguration, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        (self.configuration, self.now) = (configuration, now)
    }

    /// The keys for a token with the id of a key. It waits for a fetch if the id is unknown, or the keys are old; while
    /// fetches fail, only if the id is unknown.
    ///
    /// - Throws: A problem with status 503 if the validity of the token is unknown.
    func set(with id: String?, _ logger: Logger) async throws(Problem) -> OpenIDKeySet {
        if let set = set(notOlderThan: configuration.refreshInterval), set.key(id) != nil { return set }
        startFetch(logger)
        if last?.failed == true, let set = set(notOlderThan: configuration.staleLimit), set.key(id) != nil {
            return set
        }
        await running?.value
        guard let set = set(notOlderThan: configuration.staleLimit), set.key(id) != nil || last?.failed == false
        else {
            let next = last.map { $0.start + configuration.minimumInterval - now() } ?? .zero
            throw Problem(
                .authenticationUnavailable, "The issuer of the token cannot be reached.",
                headers: [.retryAfter: "\(max(1, Int((next / .seconds(1)).rounded(.up))))"])
        }
        return set
    }

    private func set(notOlderThan age: Duration) -> OpenIDKeySet? {
        known.flatMap { now() - $0.start < age ? $0.set : nil }
    }

    private func startFetch(_ logger: Logger) {
        let start = now()
        guard running == nil, last.map({ start - $0.start >= configuration.minimumInterval }) ?? true else { return }
        last = (start, last?.failed ?? false)
        running = Task {
            do {
                known = (try await .fetched(configuration), start)
                last = (start, false)
            } catch {
                last = (start, true)
                logger.warning(
                    "the keys of the issuer were not fetched",
                    metadata: ["issuer": "\(configuration.issuer)", "reason": "\(error)"])
            }
            running = nil
        }
    }
}
