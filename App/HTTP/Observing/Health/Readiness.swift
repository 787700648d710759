internal import Logging

/// Whether a service can take requests: asks its store, not too often, and knows when the service is to end.
public actor Readiness {
    /// What it answers.
    public enum State: Sendable, Equatable {
        /// It can take requests; a store that only reads is said to.
        case ready(StoreHealth)
        /// It cannot.
        case unready(StoreHealth)
        /// It is about to end, and takes no new requests.
        case draining
    }

    private let probe: @Sendable () async -> StoreProbe.Finding
    private let interval: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private var found: (health: StoreHealth, at: ContinuousClock.Instant)?
    private var running: Task<StoreProbe.Finding, Never>?
    private let signal: ShutdownSignal

    /// Makes it, ready to be asked.
    ///
    /// - Parameters:
    ///   - signal: Given when the service is about to end, and takes no new requests.
    ///   - interval: How long what was found is good.
    ///   - now: The clock.
    ///   - probe: Looks at the store.
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

    /// The state now, from a look at the store that is no older than the interval; all who ask while one looks share
    /// what it finds. As long as the store takes; an asker who goes away does not end the look.
    public func state() async -> State {
        if signal.isGiven { return .draining }
        let health = await health()
        // The service may have begun to end meanwhile.
        if signal.isGiven { return .draining }
        if case .unusable = health { return .unready(health) }
        return .ready(health)
    }

    private func health() async -> StoreHealth {
        if let found, found.at.duration(to: now()) < interval { return found.health }
        if let running { return await running.value.health }
        let look = Task { [probe] in await probe() }
        running = look
        let finding = await look.value
        if finding.health != found?.health ?? .writable { log(finding) }
        found = (finding.health, now())
        running = nil
        return finding.health
    }

    /// Logs a change of the store's health, with its cause; an unchanged one is not logged again.
    private func log(_ finding: StoreProbe.Finding) {
        var metadata: Logger.Metadata = [:]
        if let cause = finding.cause { metadata["detail"] = "\(cause)" }
        switch finding.health {
        case .writable: Logger.current.notice("store reads and writes again")
        case .readOnly(let reason):
            metadata["reason"] = "\(reason)"
            Logger.current.warning("store only reads", metadata: metadata)
        case .unusable(let reason):
            metadata["reason"] = "\(reason)"
            Logger.current.error("store cannot be used", metadata: metadata)
        }
    }
}

extension Readiness {
    /// For a store that is observed.
    public init(_ store: ObservedStore, signal: ShutdownSignal, interval: Duration = .seconds(5)) {
        self.init(signal: signal, interval: interval, now: { .now }, finding: { await StoreProbe(store).look() })
    }
}
