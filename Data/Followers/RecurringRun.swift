internal import LarderData
internal import LarderDomain

/// Runs one kind of recurring work: the work of each tick, once it is due.
actor RecurringRun {
    private let work: RecurringWork
    private let parts: FollowerParts
    private let leased: LeasedRun<RecurringState>

    /// The longest sleep, so that a clock that is set forward is noticed.
    private static let longestSleep = Duration.seconds(30)

    init(_ work: RecurringWork, _ parts: FollowerParts) {
        (self.work, self.parts) = (work, parts)
        leased = LeasedRun(work.name, RecurringState.id(of: work.name), lease: work.policy.lease, parts)
    }

    /// Runs until the task is cancelled.
    nonisolated func run() async throws {
        try await leased.run(
            new: { [work, parts] in
                RecurringState(name: work.name, tick: work.schedule.tick(until: parts.clock.now()))
            },
            prepare: { $0 }, work: { state in try await self.repeatWork(from: state) }, end: { _ in })
    }

    private func repeatWork(from stored: RecurringState) async throws {
        var state = stored
        while true {
            try Task.checkCancellation()
            let now = parts.clock.now()
            let due = work.schedule.tick(until: now)
            guard due > state.tick else {
                try await parts.clock.sleep(work.schedule.pause(after: now, atMost: Self.longestSleep))
                continue
            }
            if case .skip = work.missed, due.adding(work.tolerance) < now {
                state = try await leased.change(state) { _, state in state.pass(due) }
                continue
            }
            do {
                state = try await attempt(due, state)
                parts.report(.done(work.name, tick: due))
            } catch  where !error.isInterruption {
                state = try await note(error, state, due)
            }
        }
    }

    /// Does the work of a tick.
    private func attempt(_ tick: Timestamp, _ state: RecurringState) async throws -> RecurringState {
        switch (work.effect, work.missed) {
        case (.storing(let handler), _):
            return try await leased.change(state) { [work] unit, state in
                try await WorkLimit.apply(work.limit) { try await handler(tick, unit) }
                state.pass(tick)
            }
        case (.calling(let handler), .runOnce):
            try await WorkLimit.apply(work.limit) { [parts] in try await handler(tick, parts.manager) }
            return try await leased.change(state) { _, state in state.pass(tick) }
        case (.calling(let handler), .skip):
            let state = try await leased.change(state) { _, state in state.pass(tick) }
            do {
                try await WorkLimit.apply(work.limit) { [parts] in try await handler(tick, parts.manager) }
            } catch  where !Task.isCancelled {
                parts.report(.failed(work.name, error))
            }
            return state
        }
    }

    /// Counts a failed attempt, and waits before the next one.
    private func note(_ error: any Error, _ state: RecurringState, _ tick: Timestamp) async throws -> RecurringState {
        let attempts = state.attempts + 1
        let state = try await leased.change(state) { _, state in
            (state.attempts, state.failure) = (attempts, error.text)
        }
        if attempts == 1 { parts.report(.failed(work.name, error)) }
        try await parts.clock.sleep(work.policy.pause(after: attempts))
        return state
    }
}

/// The work has taken longer than its limit.
struct WorkTimeout: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "the work took longer than \(limit)" }
}

/// A limit of the time of work.
enum WorkLimit {
    /// Cancels a body that takes longer than a limit.
    ///
    /// - Throws: ``WorkTimeout``.
    static func apply(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw WorkTimeout(limit: limit)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

extension RecurringState {
    mutating func pass(_ tick: Timestamp) { (self.tick, attempts, failure) = (tick, 0, nil) }
}

extension Schedule {
    /// The time until a later instant that is at the next tick or before it.
    func pause(after now: Timestamp, atMost limit: Duration) -> Duration {
        var (low, high) = (Int64(0), max(1, Timestamp(microseconds: 0).adding(limit).microseconds))
        let current = tick(until: now)
        // The first microsecond of the next tick, or the limit.
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if tick(until: Timestamp(microseconds: now.microseconds + middle)) > current {
                high = middle
            } else {
                low = middle
            }
        }
        return .microseconds(high)
    }
}
