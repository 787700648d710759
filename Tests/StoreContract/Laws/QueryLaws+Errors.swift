internal import LarderData
internal import LarderDomain
private import Synchronization

/// Errors that the bodies of reads throw, of every kind: also of those by which a store reports its own faults.
extension QueryLaws {
    static let errors: [Law] = [
        Law(.queries, "An error of the body of a page ends the read, is rethrown, and is the last call") { trial in
            let (members, magazines) = try await trial.storeForErrors(800)
            var (errors, next) = (BodyError.all, 0)
            for roots in [members, magazines] {
                for (number, limit) in [(0, 1), (0, nil), (3, nil), (19, 20), (roots.count - 9, nil)] as [(Int, Int?)] {
                    for content in [ReadRequest.Content.rows, .complete, .versions] {
                        let request = ReadRequest(
                            roots[0].schema, order: [OrderTerm(.column(0), isDescending: true)], limit: limit,
                            includesTotal: true, content: content)
                        // Each error of a short page, and one of each longer page.
                        if limit != 1 {
                            errors = [BodyError.all[next % BodyError.all.count]]
                            next += 1
                        }
                        let what = "a page of \(limit ?? .max) \(content)"
                        try await trial.expectRethrown(errors, after: number, what) {
                            _ = try await trial.store.withRows(request, $0)
                        }
                    }
                }
                errors = BodyError.all
            }
        }.tests("page.8", "page.9"),
        Law(.queries, "An error of the body of a read by ids ends the read, is rethrown, and is the last call") {
            trial in
            let (members, magazines) = try await trial.storeForErrors(800)
            for roots in [members, magazines] {
                for (count, number) in [(1, 0), (5, 4), (40, 20), (roots.count, roots.count - 9)] {
                    let ids = roots.prefix(count).map(\.id)
                    let errors = count > 5 ? [BodyError.all[count % 7]] : BodyError.all
                    try await trial.expectRethrown(errors, after: number, "a read by \(count) ids") {
                        try await trial.store.withRows(ids, of: roots[0].schema, $0)
                    }
                }
            }
        }.tests("page.8", "page.9"),
        Law(.queries, "An error of the body of a read at once is rethrown, and the store has not declined") { trial in
            let (members, magazines) = try await trial.storeForErrors(3)
            for root in [members[0], members[2], magazines[0]] {
                let isThere = try trial.store.lendAtOnce(root.id, of: root.schema) { _ throws(PersistencyError) in }
                if isThere == .declined { continue }
                for thrown in BodyError.all {
                    for readsFirst in [false, true] {
                        var calls = 0
                        let body = { (rows: inout Rows) throws(PersistencyError) in
                            calls += 1
                            if readsFirst { _ = try rows.next() }
                            throw thrown
                        }
                        var answer: LendAnswer?
                        do throws(PersistencyError) {
                            answer = try trial.store.lendAtOnce(root.id, of: root.schema, to: body)
                        } catch {
                            try expect("the error", Fault(error), is: Fault(thrown))
                            try expect("the number of calls", calls, is: 1)
                        }
                        // A store may decline at any time, but only before it calls the body.
                        let isSwallowed = answer.map { $0 != .declined || calls > 0 } ?? false
                        try expect(!isSwallowed, "a read at once swallowed \(thrown)")
                    }
                }
                // Later reads are unaffected.
                try await trial.expectLentAtOnce(root.id, of: root.schema, is: root.at(version: 1))
            }
        }.tests("lend.2", "page.9"),
    ]
}

private enum BodyError {
    static let all: [PersistencyError] = [
        .unsupportedQuery("the body's"), .cancelled, .contention("the body's"),
        .unavailable(Unavailable(.busy, "the body's")), .unavailable(Unavailable(.failed, "the body's")),
        .unavailable(Unavailable(.unreachable, "the body's")), .unavailable(Unavailable(.closed, "the body's")),
        .conflict(Conflict(EntityReference(entity: "member", id: RawID(high: 1, low: 2)), expected: 3, found: 4)),
    ]
}

extension Trial {
    /// Stores flat roots, and a third as many with owned objects and links.
    fileprivate func storeForErrors(
        _ count: Int
    ) async throws -> (members: [StorageObject], magazines: [StorageObject]) {
        let members = (0..<count).map { Press.member(rawID(), "Member \($0)", card: Int64($0)) }
        let magazines = (0..<count / 3).map { number in
            Press.magazine(
                rawID(), "M \(number)", articles: [Press.article(rawID(), "\(number)")], editors: [members[0].id])
        }
        _ = try await store.commit(ChangeSet(inserts: members + magazines))
        return (members, magazines)
    }

    /// Fails the law unless a read rethrows what its body throws after a number of rows, without another call, and
    /// unless the store can be read afterward.
    fileprivate func expectRethrown(
        _ errors: [PersistencyError], after count: Int, _ what: String,
        _ read: (@escaping RowBody) async throws -> Void
    ) async throws {
        for error in errors {
            let state = Mutex((rows: 0, callsAfter: 0, hasThrown: false))
            let found = try await failure(of: what) {
                try await read { (rows) throws(PersistencyError) in
                    if state.withLock({ state in
                        if state.hasThrown { state.callsAfter += 1 }
                        return state.hasThrown
                    }) {
                        return
                    }
                    while state.withLock({ $0.rows < count }) {
                        guard try rows.next() else { return }
                        state.withLock { $0.rows += 1 }
                    }
                    state.withLock { $0.hasThrown = true }
                    throw error
                }
            }
            try expect("the error of \(what)", Fault(found), is: Fault(error))
            try expect("the calls after the error of \(what)", state.withLock(\.callsAfter), is: 0)
        }
        try expect("a later page", try await store.read(ReadRequest(Press.member, limit: 1)).items.count, is: 1)
    }
}
