internal import LarderData
internal import LarderDomain

/// Tokens of commits that the store does not have: a copy of its data was put back, or somebody made them up.
extension ChangesLaws {
    static let future: [Law] = [
        Law(.changes, "A read with a token of a later commit than the last is answered at once") { trial in
            let members = (0..<3).map { Press.member(trial.rawID(), "Member \($0)", card: Int64($0)) }
            var token = try await trial.store.commit(ChangeSet(inserts: members)).token
            for ahead in [1, 5, 1 << 40] as [Int64] {
                let later = ChangeToken(lifetime: token.lifetime, position: token.position + ahead)
                for preference in [.primary, .replica] as [ReadConsistency.Preference] {
                    let consistency = ReadConsistency(preference, including: later)
                    let page = try await trial.store.read(
                        ReadRequest(Press.member, limit: 2, includesTotal: true, consistency: consistency))
                    try expect("the page", page.items, is: Array(members.prefix(2)))
                    try expect("the total", page.total, is: 3)
                    let counts = try await trial.store.counts(
                        CountRequest(Press.member, where: .always(true), by: .column(1), consistency: consistency))
                    try expect("the counts", counts, is: [.integer(0): 1, .integer(1): 1, .integer(2): 1])
                }
                token = try await trial.insert(Press.topic(trial.rawID(), "\(ahead)")).token
            }
        }.tests("consistency.4"),
        Law(.changes, "A stream after a token of a later commit starts with a gap, and has the commits after it") {
            trial in
            let last = try await trial.insert(Press.topic(trial.rawID(), "Last")).token
            var streams: [AsyncStream<ChangeEvent>] = []
            for ahead in [1, 2, 1 << 40] as [Int64] {
                let later = ChangeToken(lifetime: last.lifetime, position: last.position + ahead)
                streams.append(await trial.store.changes(after: later))
            }
            // One of them gets a token that a stream started after.
            var expected: [ChangeEvent] = [.gap(last)]
            for number in 0..<3 {
                let changes = ChangeSet(inserts: [Press.topic(trial.rawID(), "Next \(number)")])
                let token = try await trial.store.commit(changes).token
                expected.append(.commit(CommittedChanges(token: token, of: changes)))
            }
            await trial.store.close()
            for stream in streams {
                try expect("the received events", await stream.reduce(into: []) { $0.append($1) }, is: expected)
            }
        }.tests("changes.17"),
    ]
}
