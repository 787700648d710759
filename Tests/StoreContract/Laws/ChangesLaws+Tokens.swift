internal import LarderData
internal import LarderDomain

/// Reads that require the commit of a token.
extension ChangesLaws {
    static let tokens: [Law] = [
        Law(.changes, "A read with the token of a commit includes this commit, whichever copy answers") { trial in
            for number in 1...10 {
                let member = Press.member(trial.rawID(), "Member \(number)", card: 7 * Int64(number))
                let token = try await trial.insert(member).token
                for preference in [.primary, .replica] as [ReadConsistency.Preference] {
                    let consistency = ReadConsistency(preference, including: token)
                    let page = try await trial.store.read(
                        ReadRequest(Press.member, includesTotal: true, consistency: consistency))
                    try expect("the length of a page", page.items.count, is: number)
                    try expect("the total", page.total, is: number)
                    let counts = try await trial.store.counts(
                        CountRequest(Press.member, where: .always(true), by: .column(1), consistency: consistency))
                    try expect("the sum of the counts", counts.values.reduce(0, +), is: number)
                }
            }
        }.tests("consistency.3", "counts.1", "page.4"),
        Law(.changes, "A read with a token of another lifetime of the store is refused") { trial in
            let token = try await trial.insert(Press.member(trial.rawID(), "Member")).token
            let other = ChangeToken(lifetime: token.lifetime &+ 1, position: token.position)
            for preference in [.primary, .replica] as [ReadConsistency.Preference] {
                let consistency = ReadConsistency(preference, including: other)
                let errors = [
                    try await failure(of: "a page") {
                        try await trial.store.read(ReadRequest(Press.member, consistency: consistency))
                    },
                    try await failure(of: "counts") {
                        try await trial.store.counts(
                            CountRequest(Press.member, where: .always(true), by: .column(0), consistency: consistency))
                    },
                ]
                for error in errors {
                    guard case .unsupportedQuery = error else {
                        throw LawBroken("unexpected error of a read: \(error)")
                    }
                }
            }
        }.tests("counts.1", "page.5"),
    ]
}
