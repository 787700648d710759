internal import LarderData

extension QueryLaws {
    static let random: [Law] = [
        Law(.queries, "Any query over columns, links and owned objects has the result of the reference") { trial in
            for seed in 21...24 as ClosedRange<UInt64> {
                try await trial.fresh("questions-\(seed)") { trial in
                    var tape = ReferenceTape(seed: seed, pools: .medium)
                    try await tape.ask(150, of: trial)
                }
            }
        }.tests(RandomQuestions.requirements),
        Law(.queries, "A repeated query has the result of the current state") { trial in
            var state = ReferenceState(schemas: Press.roots)
            let topics = (0..<4).map { Press.topic(trial.rawID(), "Topic \($0)") }
            var changed = topics[0]
            changed.values[0] = .text("Other")
            var parted = topics[3]
            parted.values[1] = .id(topics[1].id)
            let changeSets = [
                ChangeSet(inserts: Array(topics[0...1])),
                ChangeSet(updates: [topics[1].update(to: topics[1], expecting: 1)]),
                ChangeSet(updates: [topics[1].update(to: topics[1], expecting: 2)]),
                // The same number of roots, and no version greater than the preceding ones.
                ChangeSet(updates: [topics[0].update(to: changed, expecting: 1)]),
                ChangeSet(updates: [changed.update(to: topics[0], expecting: 2)]),
                ChangeSet(inserts: [topics[2]]),
                ChangeSet(inserts: [parted], deletes: [topics[2].deletion(expecting: 1)]),
                ChangeSet(updates: [parted.update(to: topics[3], expecting: 1)]),
                ChangeSet(deletes: [topics[1].deletion(expecting: 3)]),
            ]
            let isNumbered = Condition.hasPrefix(.column(0), "Topic")
            for (number, changes) in changeSets.enumerated() {
                _ = try await trial.store.commit(changes)
                state = state.state(after: changes)
                let all = state.all(Press.topic).sorted { $0.id < $1.id }
                for condition in [.always(true), isNumbered, .compare(.column(1), .equal, .literal(.null))] {
                    let expected = all.filter(condition.holds)
                    let page = try await trial.store.read(
                        ReadRequest(Press.topic, where: condition, includesTotal: true))
                    try expect("what \(condition) finds after \(number)", page.items, is: expected)
                    try expect("the versions after \(number)", page.items.map(\.version), is: expected.map(\.version))
                    try expect("the total after \(number)", page.total, is: expected.count)
                    for column in [0, 1] {
                        let counts = try await trial.store.counts(
                            CountRequest(Press.topic, where: condition, by: .column(column)))
                        let values = expected.map { $0.values[column] }.filter { $0 != .null }
                        try expect(
                            "the counts after \(number)", counts,
                            is: values.reduce(into: [:]) { $0[$1, default: 0] += 1 })
                    }
                }
                let found = try await trial.store.read(topics.map(\.id), of: Press.topic).sorted { $0.id < $1.id }
                try expect("what ids find after \(number)", found, is: all)
            }
        }.tests("commit.3", "consistency.1", "consistency.2", "counts.2", "ids.6", "request.12"),
    ]
}
