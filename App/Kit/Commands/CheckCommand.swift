public import ArgumentParser
internal import LarderStoreContract

/// `check`: tests a kind of store against the laws of the contract.
public struct CheckCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: "Runs the store laws against a kind of store.",
            discussion: """
                Each law runs against a new scratch store, which is removed afterwards; your data is not touched. The \
                last laws run random operations. --store names the kind: sqlite:, file:, memory:, or the PostgreSQL \
                database in which the stores have temporary schemas. The exit status is 1 if a law is broken.
                """)
    }

    @OptionGroup var options: StoreOptions

    @Option(help: "Judge only the laws whose sentence contains the text.")
    var law: String?

    @Flag(help: "Print the verdicts as JSON.")
    var json = false

    public init() {}

    public func run() async throws {
        try await ScratchFolder.withStores(options, check)
    }

    private func check(_ fixture: StoreFixture) async throws {
        let laws = StoreContract.laws.filter { law in self.law.map(law.name.contains) ?? true }
        guard !laws.isEmpty else {
            throw CommandFailure(
                .usage, "no law contains '\(law ?? "")'", advice: "Without --law, all laws are judged.")
        }
        var bar = ProgressBar("check")
        var verdicts: [LawVerdict] = []
        for (number, law) in laws.enumerated() {
            bar.update(done: number, fraction: Double(number) / Double(laws.count))
            for verdict in await StoreContract.judge(fixture, laws: [law]) {
                bar.clear()
                if !json { try Terminal.output(verdict.description) }
                verdicts.append(verdict)
            }
        }
        bar.clear()
        if json { try Terminal.output(json: verdicts.map(Self.view)) }
        let broken = verdicts.count { if case .broken = $0.verdict { true } else { false } }
        let kept = verdicts.count { $0.verdict == .kept }
        let rest = verdicts.count - kept - broken
        Terminal.warn("\(fixture.name): \(kept) laws kept, \(broken) broken, \(rest) not applicable")
        if broken > 0 { throw CommandFailure(.checkFailed) }
    }

    private static func view(_ verdict: LawVerdict) -> JSON {
        let (word, reason): (String, String?) =
            switch verdict.verdict {
            case .kept: ("kept", nil)
            case .broken(let reason): ("broken", reason)
            case .notApplicable(let missing): ("not applicable", "needs \(missing)")
            }
        return .sorted([
            "law": verdict.law.name, "group": verdict.law.group.rawValue, "verdict": word, "reason": reason,
        ])
    }
}
