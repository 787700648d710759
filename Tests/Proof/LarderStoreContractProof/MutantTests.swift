import LarderData
import LarderStoreContract
import Testing
@testable import LarderStoreContractTests

struct MutantTests {
    /// Laws that no mutant of a store can break, with the reason.
    private static let toothless = [
        "An entity without a mapper is refused": "the manager refuses it before it asks a store",
        "A stream ends with the error of a page": "the manager refuses its cursor before it asks a store",
        "A save by properties that are not unique is refused": "the manager refuses it before it asks a store",
        "An update by query names the property that is not settable": "the manager refuses it before it asks a store",
        "The limit of a page is at least one": "the manager refuses it before it asks a store",
        "A query that cannot be answered exactly is refused": "the lowering refuses it before a store is asked",
        "A manager says whether it is that of a transaction, and permits every action by default":
            "the manager answers without a store",
        "A store does not have a feature of an unknown type": "only the law can make a value of its type",
        "A store can be closed twice": "a store that stopped or hung there would take the test with it",
    ]

    @Test func `no mutant survives, and each law kills one or is excused`() async {
        let (size, start) = (RunSize.current, ContinuousClock.now)
        #expect(Set(Mutation.all.flatMap(\.groups)) == Set(LawGroup.allCases))
        // At the quick size, every third mutant.
        let mutations = Mutation.all.enumerated().filter { size != .quick || $0.offset % 3 == 0 }.map(\.element)
        let matrix = await MutantMatrix.run(mutations, isWhole: size != .quick)
        print(matrix)
        for mutant in matrix.survivors { Issue.record("a store that \(mutant) survives") }
        guard matrix.isWhole else { return }
        for law in StoreContract.laws {
            let (bites, isExcused) = (matrix.biting.contains(law.name), Self.toothless[law.name] != nil)
            if !bites && !isExcused { Issue.record("\(law.group): \(law.name) kills no mutant") }
            if bites && isExcused { Issue.record("\(law.name) is excused, and kills a mutant") }
        }
        for (law, reason) in Self.toothless { print("excused: \(law), because \(reason)") }
        let laws = "\(matrix.biting.count) of \(StoreContract.laws.count) laws kill one"
        let figure = "\(matrix.rows.count) mutants, \(matrix.survivors.count) survive, \(laws)"
        print(RunReport("mutants", figure: figure, seed: nil, duration: ContinuousClock.now - start))
    }

    @Test func `at most 15 laws are excused, and each is one`() {
        #expect(Self.toothless.count <= 15)
        #expect(Set(Self.toothless.keys).isSubset(of: StoreContract.laws.map(\.name)))
    }

    @Test func `a mutant without a mutation keeps every law`() async {
        // At the quick size, every fourth: enough to notice a defective wrapper.
        let step = RunSize.current == .quick ? 4 : 1
        let laws = StoreContract.laws.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        let verdicts = await StoreContract.judge(.mutant(Mutation(.values, "is right")), laws: laws)
        for verdict in verdicts {
            if case .broken = verdict.verdict { Issue.record("\(verdict)") }
        }
    }

    @Test func `a disk with a journal and without a mutation keeps the laws of changes`() async {
        let laws = StoreContract.laws.filter { $0.group == .changes }
        let verdicts = await StoreContract.judge(.disk("is right", DiskMutation(hasJournal: true)), laws: laws)
        for verdict in verdicts {
            if case .broken = verdict.verdict { Issue.record("\(verdict)") }
        }
    }

    @Test func `each law of journals kills a mutant of a journal`() async {
        let laws = StoreContract.laws.filter { $0.needs.contains(.journal) }
        #expect(laws.count >= 4)
        for law in laws {
            var killed: String?
            // The first one suffices: others wait until the time limit for a commit that they skipped.
            for mutation in Mutation.journal where killed == nil {
                let verdict = await StoreContract.judge(.mutant(mutation), laws: [law]).first
                if case .broken(let reason)? = verdict?.verdict, !reason.hasPrefix("took longer") {
                    killed = mutation.name
                }
            }
            #expect(killed != nil, "\(law.name) kills no mutant")
            print("\(law.name) | \(killed ?? "")")
        }
    }
}
