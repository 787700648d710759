import LarderDomain
import LarderStoreContract
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// The proofs of the file store on sealed logs.
struct SealedLogProofTests {
    private let bench: ProofBench

    init() throws {
        // Equal disks remain equal without nonces.
        let sealing = try FileStore.Sealing.fake("correct horse", hasNonces: false)
        var subject = ProofSubject()
        subject.name = "the sealed store"
        subject.open = { (opening, place) throws(PersistencyError) in
            try opening.open(place, .init(place.folder, busyTimeout: .zero, journal: nil, sealing: sealing))
        }
        bench = try ProofBench(subject)
    }

    @Test func `a loss of power at any time leaves every acknowledged commit`() async throws {
        let size = RunSize.current
        let reach = CrashExplorer.Reach(
            images: size.of(quick: 2, ci: 20, prove: 120), second: size.of(quick: 60, ci: 24, prove: 12),
            kills: size.of(quick: 20, ci: 8, prove: 2), secondImages: size.of(quick: 3, ci: 10, prove: 50),
            skipsUnread: true)
        let proof = CrashProof(bench: bench, reach: reach, seed: RunSize.seed)
        var sum = ProofSum()
        await sum.add(Workload.fixed, proof.outcome)
        for complaint in sum.complaints(seed: RunSize.seed, proof.outcome) { Issue.record("\(complaint)") }
        #expect(sum.states.count >= size.of(quick: 1_000, ci: 10_000, prove: 50_000), "\(sum.states.count)")
        print(
            RunReport(
                "losses of power, sealed file", figure: "\(sum.states.count) states", seed: RunSize.seed,
                duration: .zero))
    }

    @Test func `a failed call leaves every acknowledged commit`() async throws {
        let proof = FaultProof(bench: bench, seed: RunSize.seed, step: RunSize.current.of(quick: 41, ci: 11, prove: 2))
        var sum = ProofSum()
        await sum.add(Workload.fixed, proof.outcome)
        for complaint in sum.complaints(seed: RunSize.seed, proof.outcome) { Issue.record("\(complaint)") }
        #expect(sum.faults >= RunSize.current.of(quick: 100, ci: 400, prove: 2_000), "\(sum.faults)")
    }

    @Test func `a changed byte is damage, or the end of an older log`() throws {
        var proof = TamperProof(bench, step: RunSize.current.of(quick: 11, ci: 3, prove: 1))
        do throws(ProofViolation) {
            try proof.run()
        } catch {
            Issue.record("\(error)")
        }
        #expect(proof.count > RunSize.current.of(quick: 1_000, ci: 3_000, prove: 6_000), "\(proof.count)")
    }
}
