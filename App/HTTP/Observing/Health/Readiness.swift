internal import Logging

/// Whether a service can accept requests. It probes the store at a limited rate, and observes the shutdown signal.
public actor Readiness {
    /// The result of a readiness check.
    public enum State: Sendable, Equatable {
        /// The service can accept requests, also if the store is read-only.
        case ready(StoreHealth)
        /// The service cannot accept requests.
        case unready(StoreHealth)
        /// The service is shutting down, and accepts no new requests.
        case draining
    }

    /// The time during which a problem is reported without a new probe, so that a recovery is noticed soon.
    private static let recheck: Duration = .seconds(1)
    private let probe: @Sendable () async -> StoreProbe.Finding
    private let interval: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private var found: (health: StoreHealth, at: ContinuousClock.Instant)?
    private var running: Task<StoreProbe.Finding, Never>?
    private let signal: ShutdownSignal

    /// Makes a readiness check.
    ///
    /// - Parameters:
    ///   - signal: Given when the service shuts down and accepts no new requests.
    ///   - interval: The time during which a result is reused.
    ///   - now: The clock.
    ///   - probe: Probes the store.
    public init(
        signal: ShutdownSignal = ShutdownSignal(), interval: Duration = .seconds(5),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        probe: @escaping @Sendable () async -> StoreHealth
    ) {
        self.init(signal: signal, interval: interval, now: now, finding: { StoreProbe.Finding(await probe()) })
    }

    private init(
        signal: ShutdownSignal, interval: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant,
        finding probe: @escaping @Sendable () async -> StoreProbe.Finding
    ) {
        self.signal = signal
        self.interval = interval
        self.now = now
        self.probe = probe
    }

    /// The present state, from a probe within the last interval, or within the last second if it found a problem. Callers during a probe share its result. Takes as long
    /// as the store needs. A caller that is cancelled does not end the probe.
    public func state() async -> State {
        if signal.isGiven { return .draining }
        let health = await health()
        // The shutdown may have started during the probe.
        if signal.isGiven { return .draining }
        if case .unusable = health { return .unready(health) }
        return .ready(health)
    }

    private func health() async -> StoreHealth {
        if let found {
            let limit = found.health == .writable ? interval : min(interval, Self.recheck)
            if found.at.duration(to: now()) < limit { return found.health }
        }
        if let running { return await running.value.health }
        let look = Task { [probe] in await probe() }
        running = look
        let finding = await look.value
        if finding.health != found?.health ?? .writable { log(finding) }
        found = (finding.health, now())
        running = nil
        return finding.health
    }

    /// Logs a change of the store's health, with its cause. Unchanged health is not logged again.
    private func log(_ finding: StoreProbe.Finding) {
        var metadata: Logger.Metadata = [:]
        if let cause = finding.cause { metadata["detail"] = "\(cause)" }
        switch finding.health {
        case .writable: Logger.current.notice("store is writable again")
        case .readOnly(let reason):
            metadata["reason"] = "\(reason)"
            Logger.current.warning("store is read-only", metadata: metadata)
        case .unusable(let reason):
            metadata["reason"] = "\(reason)"
            Logger.current.error("store is unavailable", metadata: metadata)
        }
    }
}

extension Readiness {
    /// Makes a readiness check of an observed store.
    public init(_ store: ObservedStore, signal: ShutdownSignal, interval: Duration = .seconds(5)) {
        self.init(signal: signal, interval: interval, now: { .now }, finding: { await StoreProbe(store).look() })
    }
}
