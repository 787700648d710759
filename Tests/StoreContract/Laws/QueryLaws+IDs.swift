internal import LarderData
internal import LarderDomain

/// Conditions on the ids of owned objects, and synchronous reads.
extension QueryLaws {
    static let ids: [Law] = [
        Law(.queries, "Within a condition on owned objects, the id is that of the owned object, at every depth") {
            trial in
            let magazines = (0..<4).map { number in
                let id = trial.rawID()
                let articles = (0..<number).map { article in
                    let footnotes = (0..<2).map { Press.footnote(trial.rawID(), "\($0)", see: [id]) }
                    return Press.article(
                        trial.rawID(), "\(article)", about: article == 0 ? id : nil, footnotes: footnotes)
                }
                return Press.magazine(id, "\(number)", articles: articles)
            }
            _ = try await trial.store.commit(ChangeSet(inserts: magazines))
            let articles = magazines.flatMap { $0.children[0] }
            let footnotes = articles.flatMap { $0.children[0] }
            let ids = [magazines, articles, footnotes].flatMap { [$0[0].id, $0[2].id, $0[$0.count - 1].id] }
            // The ids of the roots, of the articles, and of the footnotes interleave, because each is made with its
            // root.
            var leaves: [Condition] = [.isIn(.id, []), .isIn(.id, Set(ids.map(Value.id))), .compare(.id, .equal, .id)]
            for id in ids {
                for comparison in [Comparison.equal, .notEqual, .less, .greaterOrEqual] {
                    leaves.append(.compare(.id, comparison, .literal(.id(id))))
                }
                leaves += [.isIn(.id, [.id(id)]), .compare(.literal(.id(id)), .lessOrEqual, .id)]
            }
            let ofArticle =
                leaves + [
                    .compare(.column(3), .equal, .id), .compare(.coalesce(.column(3), .id), .equal, .id),
                ]
            func any(_ condition: Condition) -> Condition { .anyChild(relationship: 0, condition) }
            for condition in leaves + ofArticle.map(any) + leaves.map({ any(any($0)) })
                + leaves.map({ any(.and([$0, any(.not($0))])) })
            {
                let expected = magazines.filter { condition.holds(for: $0) }.map(\.id)
                let found = try await trial.store.read(ReadRequest(Press.magazine, where: condition)).items.map(\.id)
                try expect("what \(condition) finds", found, is: expected)
            }
        }.tests("condition.16", "operand.1"),
        Law(.queries, "A root that is lent at once is the stored one, after every commit") { trial in
            let author = try Author(trial.id(), "Ada").object
            var book = Book(trial.id(), "Bread")
            book.chapters = [Chapter(trial.id(), "Flour", notes: [Note(trial.id(), "sieve it")])]
            try await trial.expectSameAtOnce(author)
            try await trial.insert(author)
            for number in 0..<70 {
                try await trial.expectSameAtOnce(author)
                book.title = "Bread \(number)"
                try await trial.manager.save(book)
                try await trial.expectSameAtOnce(book.object)
            }
            try await trial.manager.delete(book.id)
            try await trial.expectSameAtOnce(book.object)
        }.tests("lend.1", "lend.2", "lend.3"),
    ]
}

extension Trial {
    /// Fails the law if a synchronous read succeeds but does not return exactly the stored root.
    fileprivate func expectSameAtOnce(_ object: StorageObject) async throws {
        var (calls, lent) = (0, [StorageObject]())
        let answer = try store.lendAtOnce(object.id, of: object.schema) { (rows) throws(PersistencyError) in
            calls += 1
            while try rows.next() { lent.append(try rows.storageObject()) }
        }
        try expect(calls <= (answer == .declined ? 0 : 1), "\(object.reference) was lent at once \(calls) times")
        if answer == .declined { return }
        let stored = try await store.read([object.id], of: object.schema)
        try expect("the root lent at once", lent, is: stored)
        try expect("the versions that were lent at once", lent.map(\.version), is: stored.map(\.version))
    }
}
