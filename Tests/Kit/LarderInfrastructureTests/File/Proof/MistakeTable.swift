import LarderStoreContract

/// Which part of the proof notices which mistake.
struct MistakeTable: Sendable, CustomStringConvertible {
    struct Row: Sendable {
        let mistake: Mistake
        /// The part's number, and what it said; none for a mistake that nothing noticed.
        var killer: (part: Int, what: String)?
    }

    let rows: [Row]

    var survivors: [Mistake] { rows.filter { $0.killer == nil }.map(\.mistake) }

    /// Tries mistakes, on as many cores as there are.
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
        // Most are noticed by the first workloads already, on few disks.
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
        // No seed may save one: what chance passed over shows when a kill after each call leaves many disks.
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
