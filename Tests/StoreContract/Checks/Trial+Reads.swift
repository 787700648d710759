internal import LarderData
internal import LarderDomain
private import Synchronization

/// The storage objects that the body of a read has received.
private final class Received: Sendable {
    private let state = Mutex<[StorageObject]>([])

    var objects: [StorageObject] { state.withLock { $0 } }

    func add(_ object: StorageObject) { state.withLock { $0.append(object) } }
}

extension Trial {
    /// Fails the law unless every kind of read returns exactly these roots, which are all of their schema, at their
    /// versions: by ids, at once, and on pages, with totals, versions, and counts by every key.
    func expectEveryRead(of roots: [StorageObject], _ schema: EntitySchema) async throws {
        let roots = roots.sorted { $0.id < $1.id }
        for root in roots {
            try expectSame("a root read by its id", try await store.read([root.id], of: schema), [root])
            try await expectLentAtOnce(root.id, of: schema, is: root)
        }
        for ids in [roots.map(\.id), roots.map(\.id).reversed() + [rawID()] + roots.map(\.id).prefix(2)] {
            let found = try await store.read(ids, of: schema).sorted { $0.id < $1.id }
            try expectSame("roots read by \(ids.count) ids", found, roots)
        }
        let (byID, byColumn) = (OrderTerm(.id, isDescending: true), OrderTerm(.column(0), isDescending: true))
        let mine = Condition.isIn(.id, Set(roots.map { .id($0.id) }))
        for (condition, order, limit) in [
            (.always(true), [], nil), (.always(true), [], 1), (.always(true), [byColumn], 2), (mine, [byID], nil),
            (mine, [byColumn], 3),
        ] as [(Condition, [OrderTerm], Int?)] {
            try await expectPages(
                ReadRequest(schema, where: condition, order: order, limit: limit, includesTotal: true), of: roots)
        }
        let keys =
            schema.columns.indices.map { CountRequest.Key.column($0) }
            + schema.links.indices.map { .link($0) } + schema.children.indices.map { .childCount($0) }
        for key in keys {
            let request = CountRequest(schema, where: .always(true), by: key)
            let expected = roots.flatMap(request.keys).reduce(into: [:]) { $0[$1, default: 0] += 1 }
            try expect("the counts by \(key)", try await store.counts(request), is: expected)
        }
    }

    /// Fails the law unless the pages of a request, joined, are those of the given roots, however much of them is read.
    private func expectPages(_ request: ReadRequest, of roots: [StorageObject]) async throws {
        for content in [ReadRequest.Content.rows, .complete, .versions] {
            var (request, pages) = (request, 0)
            request.content = content
            repeat {
                let expected = request.answer(from: roots)
                let received = Received()
                let end = try await store.withRows(request) { [request] (rows) throws(PersistencyError) in
                    while try rows.next() {
                        received.add(
                            request.content == .versions
                                ? StorageObject(schema: request.schema, id: rows.id, version: rows.version, values: [])
                                : try rows.storageObject())
                    }
                }
                let what = "a page of \(request.limit ?? .max) \(content), by \(request.order)"
                if content == .versions {
                    try expect("the ids of \(what)", received.objects.map(\.id), is: expected.items.map(\.id))
                    try expect(
                        "the versions of \(what)", received.objects.map(\.version), is: expected.items.map(\.version))
                } else {
                    try expectSame(what, received.objects, expected.items)
                }
                try expect("the end of \(what)", end.next, is: expected.next)
                try expect("the total of \(what)", end.total, is: expected.total)
                request.after = end.next
                pages += 1
            } while request.after != nil && pages <= roots.count
        }
    }

    /// Fails the law if a synchronous read succeeds but does not return exactly the root.
    func expectLentAtOnce(_ id: RawID, of schema: EntitySchema, is root: StorageObject?) async throws {
        var (calls, lent) = (0, [StorageObject]())
        let answer = try store.lendAtOnce(id, of: schema) { (rows) throws(PersistencyError) in
            calls += 1
            while try rows.next() { lent.append(try rows.storageObject()) }
        }
        try expect(calls <= (answer == .declined ? 0 : 1), "a root was lent at once \(calls) times")
        if answer != .declined { try expectSame("a root lent at once", lent, root.map { [$0] } ?? []) }
    }

    private func expectSame(_ what: String, _ found: [StorageObject], _ roots: [StorageObject]) throws {
        try expect("the ids of \(what)", found.map(\.id), is: roots.map(\.id))
        for (one, root) in zip(found, roots) where one != root {
            for (name, lists) in zip(root.schema.children.map(\.name), zip(one.children, root.children)) {
                try expect("\(name) of \(root.reference) in \(what)", lists.0, is: lists.1)
            }
            try expect("\(root.reference) in \(what)", one, is: root)
        }
        try expect("the versions of \(what)", found.map(\.version), is: roots.map(\.version))
    }
}
