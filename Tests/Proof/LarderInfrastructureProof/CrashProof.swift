import LarderStoreContract
@testable import LarderInfrastructureTests

/// Many workloads with a loss of power at every moment, on all cores.
struct CrashProof: Sendable {
    /// The result of one workload.
    struct Outcome: Sendable {
        var states: Set<Int> = []
        /// The disks that were opened.
        var opened: Set<Int> = []
        /// The number of failed calls, each in a separate run.
        var faults = 0
        var violation: String?
    }

    let bench: ProofBench
    let reach: CrashExplorer.Reach
    let seed: UInt64

    /// Explores one workload.
    func outcome(of workload: Workload) -> Outcome {
        var explorer = CrashExplorer(bench, reach, seed: seed)
        do throws(ProofViolation) {
            var run = ProofRun(bench)
            try run.perform(workload.steps)
            try explorer.explore(run)
            return Outcome(states: explorer.states, opened: explorer.opened)
        } catch {
            return Outcome(states: explorer.states, opened: explorer.opened, violation: error.description)
        }
    }
}

extension ProofSum {
    /// The violations, each with the shortest workload found that reproduces it.
    func complaints(seed: UInt64, _ work: (Workload) -> CrashProof.Outcome) -> [String] {
        // The first few suffice; the others probably have the same cause.
        violations.prefix(3).map { workload, what in
            let short = WorkloadShrinker().shrink(workload) { work($0).violation != nil }
            return "\(work(short).violation ?? what)\nrepeat it: LARDER_SEED=\(seed) LARDER_WORKLOAD='\(short)' "
                + "swift test --filter CrashProofTests (it was '\(workload)')"
        }
    }
}

/// The distinct disks of many workloads, and the violations.
struct ProofSum: Sendable {
    private(set) var states: Set<Int> = []
    private(set) var workloads = 0
    private(set) var faults = 0
    private(set) var opened: Set<Int> = []
    private(set) var violations: [(workload: Workload, what: String)] = []

    mutating func add(_ outcome: CrashProof.Outcome, of workload: Workload) {
        workloads += 1
        faults += outcome.faults
        opened.formUnion(outcome.opened)
        states.formUnion(outcome.states)
        if let what = outcome.violation { violations.append((workload, what)) }
    }

    /// Runs workloads on all cores.
    mutating func add(
        _ workloads: [Workload], _ work: @escaping @Sendable (Workload) -> CrashProof.Outcome
    ) async {
        for (workload, outcome) in zip(workloads, await workloads.mapOnAllCores(work)) { add(outcome, of: workload) }
    }
}
