import LarderStoreContract
@testable import LarderStoreContractTests

/// The laws that kill each mutant.
struct MutantMatrix: CustomStringConvertible {
    private(set) var rows: [(mutation: Mutation, killers: [Law])]
    /// Whether every law has judged, even if another one had already killed the mutant.
    let isWhole: Bool

    /// Tests each mutant with the laws of its groups until one kills it, a few mutants at a time. For a complete
    /// matrix, it also tests the mutants of the group with each law that killed none.
    static func run(_ mutations: [Mutation], isWhole: Bool) async -> MutantMatrix {
        let killers = await concurrently(mutations) { await killer(of: $0) }
        var matrix = MutantMatrix(
            rows: zip(mutations, killers).map { mutation, law in (mutation, law.map { [$0] } ?? []) }, isWhole: isWhole)
        if isWhole { await matrix.tryLawsThatKilledNone() }
        for _ in 0..<10 { await matrix.tryLuckAgain() }
        return matrix
    }

    /// Runs the laws that an earlier law preempted.
    private mutating func tryLawsThatKilledNone() async {
        let laws = StoreContract.laws.filter { !biting.contains($0.name) }
        let mutations = rows.map(\.mutation)
        let killed = await Self.concurrently(laws) { law in
            for (number, mutation) in mutations.enumerated() where mutation.groups.contains(law.group) {
                if await Self.kills(law, mutation) { return number }
            }
            return nil
        }
        for (law, number) in zip(laws, killed) {
            if let number { rows[number].killers.append(law) }
        }
    }

    /// Maps the inputs concurrently, four at a time, and returns the results in order.
    private static func concurrently<Input: Sendable, Found: Sendable>(
        _ inputs: [Input], _ work: @escaping @Sendable (Input) async -> Found?
    ) async -> [Found?] {
        await withTaskGroup(of: (Int, Found?).self) { group in
            var found = [Found?](repeating: nil, count: inputs.count)
            for (number, input) in inputs.enumerated() {
                if number >= 4, let (done, result) = await group.next() { found[done] = result }
                group.addTask { (number, await work(input)) }
            }
            for await (done, result) in group { found[done] = result }
            return found
        }
    }

    /// The interleaving of tasks is random, and on a busy machine some never interleave. Laws of concurrency without a
    /// kill, and mutants without a killer, get another attempt.
    private mutating func tryLuckAgain() async {
        for number in rows.indices where rows[number].mutation.groups.contains(.concurrency) {
            for law in StoreContract.laws where law.group == .concurrency {
                guard rows[number].killers.isEmpty || isWhole && !biting.contains(law.name) else { continue }
                if await Self.kills(law, rows[number].mutation) { rows[number].killers.append(law) }
            }
        }
    }

    private static func killer(of mutation: Mutation) async -> Law? {
        var slow: Law?
        // In reverse order, because the last laws are broad and kill the soonest.
        for law in StoreContract.laws.reversed() where mutation.groups.contains(law.group) {
            switch await verdict(law, mutation) {
            // The machine may be busy: prefers a law that reports a fault.
            case .broken(let reason) where reason.hasPrefix("took longer"): slow = slow ?? law
            case .broken: return law
            default: break
            }
        }
        return slow
    }

    private static func kills(_ law: Law, _ mutation: Mutation) async -> Bool {
        if case .broken = await verdict(law, mutation) { true } else { false }
    }

    private static func verdict(_ law: Law, _ mutation: Mutation) async -> Verdict? {
        var fixture = StoreFixture.mutant(mutation)
        // With 2,000 referrers, a mutant that reads all of them is caught as reliably as with 100,000.
        fixture.size = .quick
        return await StoreContract.judge(fixture, laws: [law], patience: .seconds(10)).first?.verdict
    }

    /// The mutants that no law kills.
    var survivors: [String] { rows.filter(\.killers.isEmpty).map(\.mutation.name) }

    /// The names of the laws that kill a mutant.
    var biting: Set<String> { Set(rows.flatMap(\.killers).map(\.name)) }

    /// The mutants, each with a law that kills it; in a complete matrix, also the laws, each with the mutants that it
    /// kills.
    var description: String {
        let width = rows.map(\.mutation.name.count).max() ?? 0
        let mutants = rows.enumerated().map { number, row in
            let gap = String(repeating: " ", count: width - row.mutation.name.count)
            let law = row.killers.first.map { "\($0.group): \($0.name)" } ?? "SURVIVED"
            return "\(number < 9 ? " " : "")\(number + 1) \(row.mutation.name) \(gap)| \(law)"
        }
        let laws = StoreContract.laws.map { law in
            let killed = rows.indices.filter { row in rows[row].killers.contains { $0.name == law.name } }
            return "\(law.group): \(law.name) | \(killed.map { "\($0 + 1)" }.joined(separator: " "))"
        }
        let table = ["A store that ... | is killed by the law"] + mutants
        return (isWhole ? table + ["The law ... | kills the mutants"] + laws : table).joined(separator: "\n")
    }
}
