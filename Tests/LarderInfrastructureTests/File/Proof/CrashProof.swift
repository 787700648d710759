import LarderStoreContract

/// Many workloads with losses of power at every moment, on all cores.
struct CrashProof: Sendable {
    /// What one workload came to.
    struct Outcome: Sendable {
        var states: Set<Int> = []
        var violation: String?
    }

    let bench: ProofBench
    let reach: CrashExplorer.Reach
    let seed: UInt64

    /// Tries one workload.
    func outcome(of workload: Workload) -> Outcome {
        var explorer = CrashExplorer(bench, reach, seed: seed)
        do throws(ProofViolation) {
            var run = ProofRun(bench)
            try run.perform(workload.steps)
            try explorer.explore(run)
            return Outcome(states: explorer.states)
        } catch {
            return Outcome(states: explorer.states, violation: error.description)
        }
    }
}

/// The distinct disks of many workloads, and what went wrong with them.
struct ProofSum: Sendable {
    private(set) var states: Set<Int> = []
    private(set) var workloads = 0
    private(set) var violations: [(workload: Workload, what: String)] = []

    mutating func add(_ outcome: CrashProof.Outcome, of workload: Workload) {
        workloads += 1
        states.formUnion(outcome.states)
        if let what = outcome.violation { violations.append((workload, what)) }
    }

    /// Tries workloads, on as many cores as there are.
    mutating func add(
        _ workloads: [Workload], _ work: @escaping @Sendable (Workload) -> CrashProof.Outcome
    ) async {
        await withTaskGroup(of: (Workload, CrashProof.Outcome).self) { group in
            for workload in workloads { group.addTask { (workload, work(workload)) } }
            for await (workload, outcome) in group { add(outcome, of: workload) }
        }
    }
}
