import LarderStoreContract
import Testing

@testable import LarderInfrastructure

/// A loss of power at every moment of many workloads, and again while the log is opened after it.
struct CrashProofTests {
    private static let target = RunSize.current.of(quick: 3_000, ci: 200_000, prove: 10_000_000)

    @Test func `whenever the power fails, what was acknowledged is there and nothing by halves`() async throws {
        let (began, seed) = (ContinuousClock.now, RunSize.seed)
        let reach = CrashExplorer.Reach(
            images: RunSize.current.of(quick: 4, ci: 80, prove: 400),
            second: RunSize.current.of(quick: 60, ci: 12, prove: 12),
            secondImages: RunSize.current.of(quick: 3, ci: 30, prove: 60))
        let proof = CrashProof(bench: try ProofBench(), reach: reach, seed: seed)
        var sum = ProofSum()
        await sum.add(Workload.fixed, proof.outcome)
        let fixed = sum.states.count
        var next = seed
        while sum.states.count < Self.target, sum.violations.isEmpty {
            await sum.add((0..<16).map { Workload.random(seed: next &+ $0) }, proof.outcome)
            next &+= 16
        }
        for (workload, what) in sum.violations { Issue.record("seed \(seed), workload '\(workload)': \(what)") }
        print(
            RunReport(
                "losses of power, file",
                figure:
                    "\(sum.states.count) states of \(sum.workloads) workloads (\(fixed) of \(Workload.fixed.count) fixed ones), "
                    + "\(sum.violations.count) wrong", seed: seed, duration: ContinuousClock.now - began))
    }

    @Test func `at least 40 workloads are fixed, and the text of each can be read again`() {
        #expect(Workload.fixed.count == Workload.texts.count && Workload.fixed.count >= 40)
        #expect(Workload.fixed.map(\.description) == Workload.texts)
        #expect(Set(Workload.texts).count == Workload.texts.count)
        for seed in 0..<50 {
            let workload = Workload.random(seed: UInt64(seed))
            #expect(Workload(workload.description) == workload)
        }
    }
}
