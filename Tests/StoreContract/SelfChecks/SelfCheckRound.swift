internal import LarderData
internal import LarderDomain

/// The queries to one store with the same rows, the last of them in a transaction with pending changes.
struct SelfCheckRound {
    private(set) var report: SelfCheckReport
    private let trial: Trial
    private let complaintsAtMost: Int
    private var checks: SelfChecks
    private var number = 0

    init(_ trial: Trial, _ report: SelfCheckReport, _ complaintsAtMost: Int) {
        (self.trial, self.report, self.complaintsAtMost) = (trial, report, complaintsAtMost)
        checks = SelfChecks(seed: report.seed &+ UInt64(report.queries))
    }

    mutating func ask(_ inquiries: [Inquiry], _ specimens: [Specimen], _ pending: [Specimen]) async throws {
        try await trial.manager.create(contentsOf: specimens)
        let shop = try await trial.bookshop(count: 30)
        let reviews = shop.books.enumerated().map { Review(trial.id(), $0.offset % 7, of: $0.element.id) }
        try await trial.manager.create(contentsOf: reviews.filter { $0.stars > 1 })
        let last = inquiries.count / 5
        for inquiry in inquiries.dropLast(last) { await ask(inquiry, trial.manager, trial.store) }
        var round = self
        let before = checks.count
        try await trial.manager.transaction { manager in
            for specimen in specimens.dropFirst(20) { try await manager.delete(specimen.id) }
            for specimen in pending.dropLast(10) { try await manager.save(specimen) }
            for review in reviews.suffix(20) where review.stars > 3 { try await manager.delete(review.id) }
            for book in shop.books.suffix(9) {
                try await manager.change(book.id) { ($0.inPrint, $0.pages, $0.author) = (!$0.inPrint, nil, nil) }
            }
            for inquiry in inquiries.suffix(last) { await round.ask(inquiry, manager, nil) }
        }
        report = round.report
        report.checks += round.checks.count
        report.checksInTransactions += round.checks.count - before
    }

    /// - Parameter store: Answers the queries that are conditions; `nil` in a transaction.
    private mutating func ask(_ inquiry: Inquiry, _ manager: any PersistencyManager, _ store: (any Store)?) async {
        number += 1
        guard report.complaints.count < complaintsAtMost else { return }
        if number % 6 == 0 {
            await judge("books with conditions on other entities", store) { checks in
                try await checks.checkBooks(manager)
            }
        }
        await judge("\(inquiry)", store) { checks in
            if inquiry.prefersPredicates, let query = Query(inquiry) {
                try await checks.check(query, inquiry, manager)
            } else if let store, let request = try ReadRequest(inquiry) {
                try await checks.check(request, inquiry, store)
            }
        }
    }

    private mutating func judge(
        _ query: String, _ store: (any Store)?, _ check: (inout SelfChecks) async throws -> Void
    ) async {
        do {
            try await check(&checks)
        } catch PersistencyError.unsupportedQuery {
            report.unsupported += 1
        } catch {
            let reason = (error as? LawBroken)?.reason ?? "\(error)"
            report.complaints.append(
                "\(trial.fixture.name)\(store == nil ? ", in a transaction" : ""), query \(report.queries + number) of "
                    + "seed \(report.seed), \(query): \(reason)")
        }
    }
}
