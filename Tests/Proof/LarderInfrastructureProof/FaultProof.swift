import LarderStoreContract

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Workloads in which one call fails: each call in turn, with each error, and a loss of power at every moment after it.
struct FaultProof: Sendable {
    private static let faults: [SimulatedFault] = [.error(5), .error(28), .error(4), .short(1), .short(40)]

    let bench: ProofBench
    let seed: UInt64
    /// One combination of call and error in this number is run.
    let step: Int

    private static let reach = CrashExplorer.Reach(images: 5, second: .max, secondImages: 1)

    /// Runs the failures of one workload; each counts as a workload.
    func outcome(of workload: Workload) -> CrashProof.Outcome {
        var outcome = CrashProof.Outcome()
        do throws(ProofViolation) {
            var base = ProofRun(bench)
            try base.perform(workload.steps)
            var explorer = CrashExplorer(bench, Self.reach, seed: seed)
            for (place, operation) in base.disk.operations.enumerated() {
                for (number, fault) in Self.faults.enumerated() where operation.canFail(with: fault) {
                    // A different selection for each workload, so that together they cover every call.
                    guard (place * Self.faults.count + number + workload.steps.count) % step == 0 else { continue }
                    outcome.faults += 1
                    do throws(ProofViolation) {
                        var run = ProofRun(
                            bench, fault: ProofRun.Fault(place: place, operation: operation, fault: fault))
                        try run.perform(workload.steps)
                        try run.perform([.kill, .commit([[.put(97, "x", 4)]])])
                        // The store does not control whether a folder is durable if the sync after its creation failed.
                        guard !operation.isAboveStore else { continue }
                        try explorer.explore(run, from: place)
                    } catch {
                        throw ProofViolation("call \(place) (\(operation)) fails, \(fault): \(error)")
                    }
                }
            }
            outcome.states = explorer.states
        } catch {
            outcome.violation = error.description
        }
        return outcome
    }
}

extension SimulatedOperation {
    fileprivate var isAboveStore: Bool {
        guard case .syncFolder(let path) = self else { return false }
        return path != ProofBench.folder
    }

    fileprivate func canFail(with fault: SimulatedFault) -> Bool {
        guard case .short(let count) = fault else { return true }
        guard case .write(_, _, let all) = self else { return false }
        return count < all
    }
}
