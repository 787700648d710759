private import Synchronization

/// A bound of the process with shares: a limited amount for all callers, for each known caller, and for all anonymous
/// callers together. Callers beyond it are refused (``claim(_:for:)``), or wait for their turn (``pass(for:_:)``).
///
/// An anonymous caller has no key (`nil`): nothing distinguishes it from the others, so they share one amount, and
/// known callers always have the rest.
public final class WorkGate: Sendable {
    private struct Waiting {
        let id: Int
        let caller: String?
        let turn: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var used = 0
        var usedByCaller: [String?: Int] = [:]
        var lastID = 0
        /// The waiting tasks in order of arrival.
        var waiting: [Waiting] = []
        /// The number of turns that were passed on while tasks waited, and the last one of each caller.
        var turns = 0
        var lastTurns: [String?: Int] = [:]
    }

    /// The amount for all callers together.
    public let limit: Int
    /// The amount for each known caller.
    public let limitPerCaller: Int
    /// The amount for all anonymous callers together.
    public let anonymousLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The amount for all callers together, such as a number of tasks or of bytes.
    ///   - perCaller: The amount for each known caller; by default the limit.
    ///   - anonymous: The amount for all anonymous callers together; by default the limit.
    public init(_ limit: Int, perCaller: Int? = nil, anonymous: Int? = nil) {
        self.limit = limit
        (limitPerCaller, anonymousLimit) = (min(limit, perCaller ?? limit), min(limit, anonymous ?? limit))
    }

    /// The amount in use.
    public var used: Int { state.withLock { $0.used } }

    /// The number of waiting tasks.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Takes an amount now. It is given back by ``WorkClaim/release()``, or with the last reference to the claim.
    ///
    /// - Throws: ``WorkRefusal`` if it is not free.
    public func claim(
        _ amount: Int = 1, for caller: String? = WorkCaller.current
    ) throws(WorkRefusal)
        -> WorkClaim
    {
        let claim = WorkClaim(of: self, caller)
        try claim.grow(by: amount)
        return claim
    }

    /// Runs the work when it is the task's turn. Callers take turns: tasks of a caller wait for each other, in order of
    /// arrival, rather than for all tasks that another caller has sent. The work must not pass the same gate.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits; the errors of the work.
    public func pass<Result>(
        for caller: String? = WorkCaller.current, _ work: () async throws -> Result
    ) async throws -> Result {
        guard await enter(caller) else { throw CancellationError() }
        defer { give(1, for: caller) }
        return try await work()
    }

    fileprivate func take(_ amount: Int, for caller: String?) throws(WorkRefusal) {
        let refusal = state.withLock { take(amount, for: caller, from: &$0) }
        if let refusal { throw refusal }
    }

    private func take(_ amount: Int, for caller: String?, from state: inout State) -> WorkRefusal? {
        let usedByCaller = state.usedByCaller[caller, default: 0]
        let share = caller == nil ? anonymousLimit : limitPerCaller
        guard amount <= share - usedByCaller else { return caller == nil ? .anonymous : .caller }
        guard amount <= limit - state.used else { return .process }
        state.used += amount
        state.usedByCaller[caller] = usedByCaller + amount
        return nil
    }

    private func enter(_ caller: String?) async -> Bool {
        let id = state.withLock { state -> Int? in
            guard take(1, for: caller, from: &state) != nil else { return nil }
            state.lastID += 1
            return state.lastID
        }
        guard let id else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                // Checked again under the lock: a slot may have become free, or the task may have been cancelled
                // before.
                let isDecided = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if take(1, for: caller, from: &state) == nil { return true }
                    state.waiting.append(Waiting(id: id, caller: caller, turn: turn))
                    return nil
                }
                if let isDecided { turn.resume(returning: isDecided) }
            }
        } onCancel: {
            let turn = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).turn }
            }
            turn?.resume(returning: false)
        }
    }

    /// Gives an amount back, and passes it on directly, so that a new task cannot overtake waiting ones.
    fileprivate func give(_ amount: Int, for caller: String?) {
        let turns = state.withLock { state in
            state.used -= amount
            let left = state.usedByCaller[caller, default: 0] - amount
            state.usedByCaller[caller] = left > 0 ? left : nil
            var turns: [CheckedContinuation<Bool, Never>] = []
            while let next = takeNext(from: &state) { turns.append(next) }
            return turns
        }
        for turn in turns { turn.resume(returning: true) }
    }

    /// Removes the first waiting task of the caller with a free share whose last turn was the longest ago.
    ///
    /// - Complexity: O(*n*) for *n* waiting tasks.
    private func takeNext(from state: inout State) -> CheckedContinuation<Bool, Never>? {
        guard !state.waiting.isEmpty else {
            state.lastTurns = [:]
            return nil
        }
        guard state.used < limit else { return nil }
        var next: (index: Int, turn: Int)?
        for (index, waiting) in state.waiting.enumerated() {
            let turn = state.lastTurns[waiting.caller, default: 0]
            let share = waiting.caller == nil ? anonymousLimit : limitPerCaller
            guard turn < next?.turn ?? .max, state.usedByCaller[waiting.caller, default: 0] < share else { continue }
            next = (index, turn)
        }
        guard let next else { return nil }
        let waiting = state.waiting.remove(at: next.index)
        state.used += 1
        state.usedByCaller[waiting.caller, default: 0] += 1
        state.turns += 1
        state.lastTurns[waiting.caller] = state.turns
        return waiting.turn
    }
}

/// An amount of a ``WorkGate`` in use.
public final class WorkClaim: Sendable {
    private let gate: WorkGate
    private let caller: String?
    private let amount = Atomic(0)

    fileprivate init(of gate: WorkGate, _ caller: String?) { (self.gate, self.caller) = (gate, caller) }

    deinit { release() }

    /// Takes a further amount.
    ///
    /// - Throws: ``WorkRefusal`` if it is not free; the claim keeps its amount.
    public func grow(by more: Int) throws(WorkRefusal) {
        try gate.take(more, for: caller)
        amount.add(more, ordering: .relaxed)
    }

    /// Gives the whole amount back.
    public func release() {
        let amount = amount.exchange(0, ordering: .relaxed)
        if amount > 0 { gate.give(amount, for: caller) }
    }
}

/// The bound of a ``WorkGate`` that an amount would exceed.
public enum WorkRefusal: Error, Sendable, Equatable {
    /// That of all callers together.
    case process
    /// That of all anonymous callers together.
    case anonymous
    /// That of the caller.
    case caller
}
