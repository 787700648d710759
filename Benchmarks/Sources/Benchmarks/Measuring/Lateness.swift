/// The lateness of an unrelated timer, which shows the effect of a load on the rest of the process.
struct Lateness: Sendable {
    /// The limit of the 99th percentile, in milliseconds.
    static let limit = 10.0
    /// Milliseconds, sorted.
    private let samples: [Double]

    var count: Int { samples.count }
    var worst: Double { samples.last ?? 0 }

    func percentile(_ part: Double) -> Double {
        samples.isEmpty ? 0 : samples[min(samples.count - 1, Int(Double(samples.count) * part))]
    }

    /// Sleeps for a millisecond repeatedly on the cooperative pool, while the loads run.
    static func measure(
        for duration: Duration, beside loads: [@Sendable () async throws -> Void]
    ) async throws -> Lateness {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for load in loads {
                group.addTask {
                    while !Task.isCancelled { try await load() }
                }
            }
            let clock = ContinuousClock()
            let timer = Task.detached {
                var samples: [Double] = []
                let end = clock.now + duration
                while clock.now < end {
                    let due = clock.now + .milliseconds(1)
                    try await Task.sleep(until: due, tolerance: .zero, clock: clock)
                    samples.append((clock.now - due).microseconds / 1000)
                }
                return samples
            }
            let samples = try await timer.value
            group.cancelAll()
            // A load that is cancelled while it works throws. An earlier failure would have ended the measurement.
            while await group.nextResult() != nil {}
            return Lateness(samples: samples.sorted())
        }
    }
}
