import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// A workload on a simulated disk, and the guarantees after each of its calls.
struct ProofRun {
    /// A failing call, identified by its number.
    struct Fault: Sendable {
        let place: Int
        let operation: SimulatedOperation
        let fault: SimulatedFault
    }

    let disk: SimulatedFileSystem
    /// The required contents after a loss of power, for each number of calls.
    private(set) var promises: [ProofPromise] = []
    private let bench: ProofBench
    private let losses: Int
    private let salts = Salts()
    let fault: Fault?
    /// The allowed states of the store; exactly one while it is open and working.
    private(set) var possible: [ProofModel]
    private var schema: Int
    private var engine: LogEngine?
    private var isLimited = false
    private var compactsByItself = false

    /// Starts with a disk and its required contents.
    init(
        _ bench: ProofBench, on disk: SimulatedDisk = SimulatedDisk(), possible: [ProofModel] = [ProofModel()],
        declared schema: Int = 0, afterLosses losses: Int = 0, fault: Fault? = nil
    ) {
        self.bench = bench
        self.disk = SimulatedFileSystem(disk, keepsHistory: true)
        (self.possible, self.schema, self.losses, self.fault) = (possible, schema, losses, fault)
        promises = [ProofPromise(possible, declared: schema)]
        if let fault { self.disk.inject { place, _ in place == fault.place ? fault.fault : nil } }
    }

    mutating func perform(_ steps: [ProofStep]) throws(ProofViolation) {
        if promises.count == 1 { try open() }
        for step in steps {
            if engine == nil, !isLimited { try open() }
            try perform(step)
        }
    }

    private mutating func perform(_ step: ProofStep) throws(ProofViolation) {
        switch step {
        case .commit(let group):
            try commit(group)
            if compactsByItself, engine?.isCompactionDue == true { try compact() }
        case .compact: try compact()
        case .reopen:
            close()
            try open()
        case .kill:
            end()
            try open()
        case .grow:
            close()
            schema = min(schema + 1, ProofSchemas.items.count - 1)
            promise(possible, meanwhile: possible)
            try open()
        case .room(let bytes):
            isLimited = bytes != nil
            disk.limit(to: bytes.map { disk.disk.liveBytes + $0 } ?? .max)
        case .auto: compactsByItself = true
        }
    }

    private mutating func open() throws(ProofViolation) {
        let before = disk.operationCount
        do throws(PersistencyError) {
            engine = try bench.open(disk, declared: schema, salt: salt)
        } catch {
            guard isExcused(since: before) || isLimited && error.isFull else {
                throw ProofViolation("opening: \(error)")
            }
            return promise(possible, meanwhile: possible)
        }
        let digest = engine?.digest(declared: schema) ?? 0
        guard let shown = ProofPromise(possible, declared: schema).model(digest) else {
            throw ProofViolation("opening: shows something that was never committed, or less than was acknowledged")
        }
        promise([shown], meanwhile: possible)
    }

    private var salt: @Sendable () -> UInt64 {
        if losses > 0 { return ProofBench.salt(afterLosses: losses) }
        let salts = salts
        return { salts.next() }
    }

    private mutating func close() {
        engine?.close()
        end()
        promise(possible, meanwhile: possible)
    }

    /// Releases the engine first, because that releases its lock.
    private mutating func end() {
        engine = nil
        disk.killProcess()
    }

    private mutating func compact() throws(ProofViolation) {
        guard let wasPoisoned = engine.map({ $0.failure != nil }) else { return }
        let before = disk.operationCount
        do throws(PersistencyError) {
            try engine?.compact()
        } catch {
            guard wasPoisoned || isExcused(since: before) || isLimited && error.isFull else {
                throw ProofViolation("compacting: \(error)")
            }
            return promise(possible, meanwhile: possible)
        }
        if wasPoisoned { throw ProofViolation("compacted after a failure") }
        promise(possible, meanwhile: possible)
    }

    private mutating func commit(_ group: [[ProofEdit]]) throws(ProofViolation) {
        guard let start = possible.first, let wasPoisoned = engine.map({ $0.failure != nil }) else { return }
        let before = disk.operationCount
        var (states, members) = ([start], [(changes: PendingCommit, isRefused: Bool)]())
        for edits in group {
            guard let (changes, after) = states[states.count - 1].applying(edits, declared: schema) else { continue }
            members.append((PendingCommit(changes), after == nil))
            if let after { states.append(after) }
        }
        if members.isEmpty { return }
        guard let results = engine?.commit(members.map(\.changes)).results, results.count == members.count else {
            throw ProofViolation("a group of \(members.count) has another number of results")
        }
        let written = results.prefix { $0.trouble == nil }
        for (result, member) in zip(written, members) where result.isSuccess == member.isRefused {
            throw ProofViolation(member.isRefused ? "committed what conflicts" : "refused: \(result)")
        }
        if wasPoisoned, !written.isEmpty { throw ProofViolation("committed after a failure") }
        let last = members.prefix(written.count).count { !$0.isRefused }
        if let trouble = results.dropFirst(written.count).first?.trouble {
            guard results.dropFirst(written.count).allSatisfy({ $0.trouble != nil }) else {
                throw ProofViolation("something overtook what failed")
            }
            let isPoisoned = engine?.failure != nil
            guard results.contains(where: \.isInDoubt) == (isPoisoned && !wasPoisoned) else {
                throw ProofViolation("in doubt and not poisoned, or the other way round: \(results)")
            }
            if wasPoisoned {
                guard isPoisoned, disk.operationCount == before else { throw ProofViolation("wrote after a failure") }
                return
            }
            guard isExcused(since: before) || isLimited && trouble.reason == .full else {
                throw ProofViolation("failed without a reason: \(trouble)")
            }
            try judge(trouble, isPoisoned: isPoisoned, since: before)
            if !isPoisoned { states.removeLast(states.count - 1 - last) }
        }
        promise(Array(states[last...]), meanwhile: states)
        try compare(states[last])
    }

    /// A failure must have the documented form: temporary without room, permanent after a failed sync.
    private func judge(_ trouble: Unavailable, isPoisoned: Bool, since before: Int) throws(ProofViolation) {
        guard let fault, isExcused(since: before) else {
            if isPoisoned { throw ProofViolation("no room, and poisoned") }
            return
        }
        switch fault.operation {
        case .sync, .syncFolder:
            if !isPoisoned { throw ProofViolation("a sync failed, and the store goes on") }
        case .write:
            if isPoisoned { throw ProofViolation("a write failed, and the store is poisoned") }
            let isFull = if case .short = fault.fault { true } else { fault.fault == .error(28) }
            if isFull != (trouble.reason == .full) { throw ProofViolation("failed with \(trouble)") }
        default: break
        }
    }

    /// Readers continue with the acknowledged state.
    private func compare(_ model: ProofModel) throws(ProofViolation) {
        guard engine?.digest(declared: schema) == model.digest(declared: schema) else {
            throw ProofViolation("readers see something else than what was acknowledged")
        }
    }

    private func isExcused(since before: Int) -> Bool {
        fault.map { (before..<disk.operationCount).contains($0.place) } ?? false
    }

    /// Records the required contents from now on, and the contents allowed during the preceding calls.
    private mutating func promise(_ models: [ProofModel], meanwhile window: [ProofModel]) {
        let meanwhile = ProofPromise(window, declared: schema)
        while promises.count < disk.operationCount { promises.append(meanwhile) }
        let now = ProofPromise(models, declared: schema)
        if promises.count == disk.operationCount { promises.append(now) } else { promises[promises.count - 1] = now }
        possible = models
    }
}

extension CommitResult {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }

    /// The reason why the store could not write, if that is the failure.
    fileprivate var trouble: Unavailable? {
        switch self {
        case .failure(.unavailable(let trouble)), .failure(.inDoubt(_, let trouble)): trouble
        default: nil
        }
    }

    fileprivate var isInDoubt: Bool { if case .failure(.inDoubt) = self { true } else { false } }
}

extension PersistencyError {
    fileprivate var isFull: Bool {
        guard case .unavailable(let trouble) = self else { return false }
        return trouble.reason == .full
    }
}
