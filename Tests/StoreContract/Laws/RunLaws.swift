/// The random runs, at a size suitable for the contract. Each can also run on its own, for longer.
enum RunLaws {
    static let all: [Law] = [
        Law(.runs, "Random operations of a manager have the results of its model") { trial in
            do {
                _ = try await ModelRun(trial.fixture, operations: 1_000, seed: 1).run()
            } catch let disagreement as ModelDisagreement {
                throw LawBroken("\(disagreement)")
            }
        },
        Law(.runs, "Histories of concurrent clients are strictly serializable") { trial in
            do {
                _ = try await HistoryRun(trial.fixture, histories: 2, operations: 400, seed: 1).run()
            } catch let refused as HistoryRefused {
                throw LawBroken("\(refused)")
            }
        },
        Law(.runs, "Random queries over awkward rows have the results of an oracle in plain Swift") {
            trial in
            let report = try await DifferentialRun(queries: 400, seed: 1, complaintsAtMost: 1).judge([trial.fixture])
            if let complaint = report.complaints.first { throw LawBroken(complaint) }
        },
    ]
}
