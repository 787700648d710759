@testable import LarderInfrastructureTests

/// Shrinks a workload that reveals a violation: removes steps, then change sets, then edits, and shortens texts, as
/// long as the violation remains.
struct WorkloadShrinker {
    /// The maximum number of attempts.
    var attempts = 400

    func shrink(_ workload: Workload, stillFails: (Workload) -> Bool) -> Workload {
        var (best, left, before) = (workload, attempts, Workload?.none)
        while before != best, left > 0 {
            before = best
            var place = 0
            while place < best.plainer.count, left > 0 {
                left -= 1
                let plainer = best.plainer[place]
                if plainer != best, stillFails(plainer) { best = plainer } else { place += 1 }
            }
        }
        return best
    }
}

extension Workload {
    /// The workloads with one element removed, the largest elements first.
    fileprivate var plainer: [Workload] {
        let halves = [Array(steps.prefix(steps.count / 2)), Array(steps.dropFirst(steps.count / 2))]
        let fewer = steps.indices.map { index in
            var steps = steps
            steps.remove(at: index)
            return steps
        }
        let plainer = steps.indices.flatMap { index in
            steps[index].plainer.map { step in
                var steps = steps
                steps[index] = step
                return steps
            }
        }
        return (halves + fewer + plainer).map(Workload.init)
    }
}

extension ProofStep {
    fileprivate var plainer: [ProofStep] {
        switch self {
        case .commit(let group):
            let parts = group.map { [$0] } + group.joined().map { [[$0]] } + [group.map { $0.map(\.plainer) }]
            return parts.filter { $0 != group && !$0.isEmpty }.map(ProofStep.commit)
        case .grow, .reopen: return [.kill]
        case .compact, .kill, .room, .auto: return []
        }
    }
}

extension ProofEdit {
    fileprivate var plainer: ProofEdit {
        guard case .put(let id, let letter, let length) = self, length > 1 else { return self }
        return .put(id, letter, length / 2)
    }
}
