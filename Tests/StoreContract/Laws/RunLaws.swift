/// The random runs, at a size suitable for the contract. Each can also run on its own, for longer.
enum RunLaws {
    static let all: [Law] = [
        Law(.runs, "Random operations of a manager have the results of its model") { trial in
            do {
                _ = try await ModelRun(trial.fixture, operations: 1_000, seed: 1).run()
            } catch let disagreement as ModelDisagreement {
                throw LawBroken("\(disagreement)")
            }
        }.tests(
            "create.1", "create.3", "create.5", "delete.1", "delete.2", "delete.4", "delete.5", "delete.6", "query.1",
            "read.1", "read.4", "read.5", "save.1", "save.4", "tally.1", "transaction.1", "transaction.2",
            "transaction.3", "transaction.13", "update.1", "update.3", "update.5", "update.6"),
        Law(.runs, "Histories of concurrent clients are strictly serializable") { trial in
            do {
                _ = try await HistoryRun(trial.fixture, histories: 2, operations: 400, seed: 1).run()
            } catch let refused as HistoryRefused {
                throw LawBroken("\(refused)")
            }
        }.tests(
            "commit.2", "commit.3", "conflict.3", "conflict.6", "consistency.1", "consistency.2", "error.1",
            "transaction.7"),
        Law(.runs, "Random queries over awkward rows have the results of an oracle in plain Swift") {
            trial in
            let report = try await DifferentialRun(queries: 400, seed: 1, complaintsAtMost: 1).judge([trial.fixture])
            if let complaint = report.complaints.first { throw LawBroken(complaint) }
        }.tests(DifferentialRound.requirements),
    ]
}
