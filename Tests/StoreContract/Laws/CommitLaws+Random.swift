internal import LarderData

extension CommitLaws {
    static let random: [Law] = [
        Law(.commits, "Random change sets are stored, refused and published as the port documents") { trial in
            for seed in 1...12 as ClosedRange<UInt64> {
                try await trial.fresh("tape-\(seed)") { trial in
                    var tape = ReferenceTape(seed: seed)
                    try await tape.play(60, on: trial)
                }
            }
        }.tests(ReferenceTape.requirements),
        Law(.commits, "Random change sets of hundreds of roots are stored and queried as the port documents") { trial in
            for seed in 31...32 as ClosedRange<UInt64> {
                try await trial.fresh("tape-\(seed)") { trial in
                    var tape = ReferenceTape(seed: seed, pools: .large)
                    try await tape.play(10, on: trial)
                }
            }
        }.tests(ReferenceTape.requirements),
        Law(
            .commits, "Random change sets are stored as the port documents if the store is reopened in between",
            needs: [.durable]
        ) { trial in
            for seed in 41...44 as ClosedRange<UInt64> {
                try await trial.fresh("tape-\(seed)") { trial in
                    var tape = ReferenceTape(seed: seed, pools: seed == 41 ? .large : .small)
                    try await playAndReopen(&tape, on: trial, times: 3)
                }
            }
        }.tests(ReferenceTape.requirements + ["commit.5"]),
    ]

    private static func playAndReopen(_ tape: inout ReferenceTape, on trial: Trial, times: Int) async throws {
        try await tape.play(tape.pools.isLarge ? 3 : 30, on: trial)
        try await trial.reopened { again in
            try await tape.compareEverything(with: again)
            if times > 1 { try await playAndReopen(&tape, on: again, times: times - 1) }
        }
    }
}
