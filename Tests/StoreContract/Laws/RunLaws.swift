/// The random runs, at a size suitable for the contract. Each can also run on its own, for longer.
enum RunLaws {
    static let all: [Law] = [
        Law(.runs, "Random operations of a manager are answered as a model of it answers them") { trial in
            do {
                _ = try await ModelRun(trial.fixture, operations: 1_000, seed: 1).run()
            } catch let disagreement as ModelDisagreement {
                throw LawBroken("\(disagreement)")
            }
        },
        Law(.runs, "What many clients were told at the same time can be told as one story") { trial in
            do {
                _ = try await HistoryRun(trial.fixture, histories: 2, operations: 400, seed: 1).run()
            } catch let refused as HistoryRefused {
                throw LawBroken("\(refused)")
            }
        },
        Law(.runs, "Random questions over awkward rows are answered as an oracle in plain Swift answers them") {
            trial in
            let report = try await DifferentialRun(queries: 400, seed: 1, complaintsAtMost: 1).judge([trial.fixture])
            if let complaint = report.complaints.first { throw LawBroken(complaint) }
        },
    ]
}
