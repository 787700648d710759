import LarderStoreContract
import Testing

@Suite("The law of mirrors")
struct MirrorLawTests {
    @Test(arguments: [0, 1])
    func `a mirror is an exact copy at each recorded position, and catches up after every failure`(
        required: Int
    ) async throws {
        for seed in 1...UInt64(RunSize.current.of(quick: 8, ci: 40, prove: 400)) {
            do {
                try await MirrorLaw(required: required, seed: seed).check()
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }

    @Test(arguments: MutantMirror.Defect.allCases, [0, 1])
    func `a mirror with a defect is detected`(defect: MutantMirror.Defect, required: Int) async throws {
        // Nearly every run detects it. On a busy machine, a follower may miss the failures that show it.
        for seed in 1...UInt64(40) {
            do {
                try await MirrorLaw(required: required, seed: seed, mutant: { MutantMirror($0, defect) }).check()
            } catch {
                return
            }
        }
        Issue.record("no run detected \(defect)")
    }
}
