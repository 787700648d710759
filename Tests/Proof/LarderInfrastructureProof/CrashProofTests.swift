import LarderStoreContract
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@testable import LarderInfrastructureTests

/// A loss of power at every moment of many workloads, and again during the opening after it.
struct CrashProofTests {
    private static let target = RunSize.current.of(quick: 3_000, ci: 100_000, prove: 10_000_000)

    @Test func `after a loss of power at any time, acknowledged commits are stored, and none partly`() async throws {
        let (began, seed) = (ContinuousClock.now, RunSize.seed)
        let size = RunSize.current
        let reach = CrashExplorer.Reach(
            images: size.of(quick: 4, ci: 120, prove: 300), second: size.of(quick: 60, ci: 12, prove: 12),
            kills: size.of(quick: 20, ci: 4, prove: 1), secondImages: size.of(quick: 3, ci: 50, prove: 60),
            skipsUnread: size != .prove)
        let proof = CrashProof(bench: try ProofBench(), reach: reach, seed: seed)
        var sum = ProofSum()
        await sum.add(Workload.fixed, proof.outcome)
        var next = seed
        while sum.states.count < Self.target, sum.violations.isEmpty {
            await sum.add((0..<16).map { Workload.random(seed: next &+ $0) }, proof.outcome)
            next &+= 16
        }
        for complaint in sum.complaints(seed: seed, proof.outcome) { Issue.record("\(complaint)") }
        #expect(sum.states.count >= Self.target)
        let opened =
            sum.opened.count == sum.states.count
            ? "" : " (\(sum.opened.count) opened, the others alike but for bytes that nobody reads)"
        let figure =
            "\(sum.states.count) states\(opened) of \(sum.workloads) workloads, \(sum.violations.count) wrong"
        print(RunReport("losses of power, file", figure: figure, seed: seed, duration: ContinuousClock.now - began))
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["LARDER_WORKLOAD"] != nil, "LARDER_WORKLOAD gives no workload")
    )
    func `a workload that was written down is tried again`() throws {
        let text = ProcessInfo.processInfo.environment["LARDER_WORKLOAD"] ?? ""
        let workload = try #require(Workload(text), "LARDER_WORKLOAD is no workload")
        let reach = CrashExplorer.Reach(images: 400, second: 1, kills: 1, secondImages: 20)
        let bench = try ProofBench()
        let outcomes = [
            CrashProof(bench: bench, reach: reach, seed: RunSize.seed).outcome(of: workload),
            FaultProof(bench: bench, seed: RunSize.seed, step: 1).outcome(of: workload),
        ]
        for violation in outcomes.compactMap(\.violation) { Issue.record("\(violation)") }
    }

    @Test func `a failure is reported with the shortest workload`() throws {
        let text = "compact 1=a*40;2=b*70 reopen \(Workload.random(seed: 11)) room:900 2=c kill 1=d,2=e*50 compact"
        let workload = try #require(Workload(text))
        let reach = CrashExplorer.Reach(images: 10, second: .max, secondImages: 1)
        let proof = CrashProof(bench: try ProofBench(ProofSubject(.markerStays)), reach: reach, seed: 1)
        var sum = ProofSum()
        sum.add(proof.outcome(of: workload), of: workload)
        let complaint = try #require(sum.complaints(seed: 1, proof.outcome).first)
        let parts = complaint.split(separator: "'")
        let short = try #require(parts.count > 1 ? Workload(String(parts[1])) : nil, "\(complaint)")
        #expect(complaint.contains("LARDER_SEED=1 LARDER_WORKLOAD="))
        #expect(short.steps == [.reopen], "\(complaint)")
        #expect(proof.outcome(of: short).violation != nil)
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
