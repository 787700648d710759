import LarderStoreContract
import Testing
@testable import LarderInfrastructureTests

/// Failing calls, one at a time.
struct FaultProofTests {
    @Test func `after a failure of any call, nothing acknowledged is lost, and the store continues or says why not`()
        async throws
    {
        let (began, seed) = (ContinuousClock.now, RunSize.seed)
        let proof = FaultProof(
            bench: try ProofBench(), seed: seed, step: RunSize.current.of(quick: 41, ci: 7, prove: 1))
        var sum = ProofSum()
        await sum.add(Workload.fixed, proof.outcome)
        let random = RunSize.current.of(quick: 0, ci: 16, prove: 2_000)
        await sum.add((0..<random).map { Workload.random(seed: seed &+ UInt64($0)) }, proof.outcome)
        for complaint in sum.complaints(seed: seed, proof.outcome) { Issue.record("\(complaint)") }
        #expect(sum.faults >= RunSize.current.of(quick: 100, ci: 1_000, prove: 100_000))
        let figure =
            "\(sum.faults) calls of \(sum.workloads) workloads, \(sum.states.count) states after them, "
            + "\(sum.violations.count) wrong"
        print(RunReport("calls that fail, file", figure: figure, seed: seed, duration: ContinuousClock.now - began))
    }
}
