import LarderStoreContract

/// Which laws kill which mutants.
struct MutantMatrix: CustomStringConvertible {
    private(set) var rows: [(mutation: Mutation, killers: [Law])]
    /// Whether each law judged, also when another one had killed the mutant already.
    let isWhole: Bool

    /// Judges each mutant by the laws of its groups until one kills it, a few mutants at a time; if the matrix is to be whole,
    /// also each law that killed none, by the mutants of its group.
    static func run(_ mutations: [Mutation], isWhole: Bool) async -> MutantMatrix {
        let killers = await concurrently(mutations) { await killer(of: $0) }
        var matrix = MutantMatrix(
            rows: zip(mutations, killers).map { mutation, law in (mutation, law.map { [$0] } ?? []) }, isWhole: isWhole)
        if isWhole { await matrix.tryLawsThatKilledNone() }
        for _ in 0..<10 { await matrix.tryLuckAgain() }
        return matrix
    }

    /// A law that another one came before has its turn.
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

    /// What work on each of some inputs finds, in their order; four at a time.
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

    /// How tasks meet is chance, and on a busy machine some never do: laws of concurrency that killed nobody, and mutants
    /// that nobody killed, get another chance.
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
        // From the end, where the broad laws are: they kill the soonest.
        for law in StoreContract.laws.reversed() where mutation.groups.contains(law.group) {
            switch await verdict(law, mutation) {
            // Perhaps the machine is busy: a law that names a fault is preferred.
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
        // A mutant that reads every referrer is caught with 2,000 of them as with 100,000.
        fixture.size = .quick
        return await StoreContract.judge(fixture, laws: [law], patience: .seconds(10)).first?.verdict
    }

    /// The mutants that no law kills.
    var survivors: [String] { rows.filter(\.killers.isEmpty).map(\.mutation.name) }

    /// The names of the laws that kill a mutant.
    var biting: Set<String> { Set(rows.flatMap(\.killers).map(\.name)) }

    /// The mutants with a law that kills each, and if the matrix is whole, the laws with the mutants that each kills.
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
