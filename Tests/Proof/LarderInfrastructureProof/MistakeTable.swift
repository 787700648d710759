import LarderStoreContract
@testable import LarderInfrastructureTests

/// The part of the proof that detects each defect.
struct MistakeTable: Sendable, CustomStringConvertible {
    struct Row: Sendable {
        let mistake: Mistake
        /// The part's number and its report; nil for an undetected defect.
        var killer: (part: Int, what: String)?
    }

    let rows: [Row]

    var survivors: [Mistake] { rows.filter { $0.killer == nil }.map(\.mistake) }

    /// Tests defects on all cores.
    static func run(_ mistakes: [Mistake], seed: UInt64) async throws -> MistakeTable {
        let benches = try mistakes.map { ($0, try ProofBench(ProofSubject($0))) }
        let rows = await benches.mapOnAllCores { mistake, bench in
            Row(mistake: mistake, killer: killer(of: bench, seed: seed))
        }
        return MistakeTable(rows: rows)
    }

    private static func killer(of bench: ProofBench, seed: UInt64) -> (part: Int, what: String)? {
        var tampering = TamperProof(bench, step: 11)
        do throws(ProofViolation) {
            try tampering.run()
        } catch {
            return (4, error.description)
        }
        // The first workloads, on few disks, detect most defects.
        let (first, others) = (Workload.fixed.prefix(12), Workload.fixed.dropFirst(12))
        for workloads in [first, others] {
            for second in [Int.max, 8] {
                let reach = CrashExplorer.Reach(images: 10, second: second, kills: second, secondImages: 12)
                if let killer = crashes(of: bench, reach, workloads, seed: seed) { return killer }
            }
            let faults = FaultProof(bench: bench, seed: seed, step: 5)
            for workload in workloads {
                if let what = faults.outcome(of: workload).violation { return (3, "\(workload): \(what)") }
            }
        }
        // Detection must not depend on the seed: a kill after each call with many disks covers what random selection
        // missed.
        let reach = CrashExplorer.Reach(images: 10, second: .max, kills: 1, secondImages: 100)
        return crashes(of: bench, reach, others, seed: seed)
    }

    private static func crashes(
        of bench: ProofBench, _ reach: CrashExplorer.Reach, _ workloads: ArraySlice<Workload>, seed: UInt64
    ) -> (part: Int, what: String)? {
        let crashes = CrashProof(bench: bench, reach: reach, seed: seed)
        for workload in workloads {
            guard let what = crashes.outcome(of: workload).violation else { continue }
            let isSecond =
                what.contains("loss 2") || what.contains("killed") || what.contains("what was shown does not last")
            return (isSecond ? 2 : 1, "\(workload): \(what)")
        }
        return nil
    }

    var description: String {
        rows.map { row in
            let mutant = "mutant (\(row.mistake.means.rawValue)): \(row.mistake.rawValue)"
            return row.killer.map { "\(mutant): killed by \($0.part): \($0.what)" } ?? "\(mutant): SURVIVES"
        }.joined(separator: "\n")
    }
}
