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

    private let probe: @Sendable () async -> StoreHealth
    private let interval: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private var found: (health: StoreHealth, at: ContinuousClock.Instant)?
    private var running: Task<StoreHealth, Never>?
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
        if let running { return await running.value }
        let look = Task { [probe] in await probe() }
        running = look
        let health = await look.value
        if health != found?.health ?? .writable { log(health) }
        found = (health, now())
        running = nil
        return health
    }

    /// Says what changed; what stays as it is is not said every few seconds.
    private func log(_ health: StoreHealth) {
        switch health {
        case .writable: Logger.current.notice("store reads and writes again")
        case .readOnly(let reason): Logger.current.warning("store only reads", metadata: ["reason": "\(reason)"])
        case .unusable(let reason): Logger.current.error("store does not answer", metadata: ["reason": "\(reason)"])
        }
    }
}

extension Readiness {
    /// For a store that is observed.
    public init(_ store: ObservedStore, signal: ShutdownSignal, interval: Duration = .seconds(5)) {
        self.init(signal: signal, interval: interval) { await StoreProbe(store).health() }
    }
}
