import LarderStoreContract
import Testing

struct MutantTests {
    private let mutations = Mutation.reading + Mutation.writing + Mutation.timing

    @Test func `every group of laws kills a mutant that breaks it, and no mutant survives`() async {
        var table: [(mutant: String, law: String)] = []
        for mutation in mutations {
            var killer: Law?
            for law in StoreContract.laws where law.group == mutation.group && killer == nil {
                let verdicts = await StoreContract.judge(.mutant(mutation), laws: [law], patience: .seconds(20))
                if case .broken = verdicts.first?.verdict { killer = law }
            }
            if killer == nil { Issue.record("a store that \(mutation.name) survives the laws of \(mutation.group)") }
            table.append((mutation.name, killer.map { "\($0.group): \($0.name)" } ?? "SURVIVED"))
        }
        let width = table.map(\.mutant.count).max() ?? 0
        print("A store that ...".padded(to: width), "| is killed by the law")
        for row in table { print(row.mutant.padded(to: width), "|", row.law) }
        #expect(Set(mutations.map(\.group)) == Set(LawGroup.allCases))
    }

    @Test func `a mutant without a mutation keeps every law`() async {
        let verdicts = await StoreContract.judge(.mutant(Mutation(.values, "is right")))
        for verdict in verdicts {
            if case .broken = verdict.verdict { Issue.record("\(verdict)") }
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
