import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Answers assembled from several moments.
    static let snapshots: [Mutation] = [
        answering("counts the whole after it has read a page") { (request, store) async throws(PersistencyError) in
            let items = try await store.read(request.with(total: false))
            return ReadResult(items: items.items, next: items.next, total: try await store.total(request))
        },
        answering("counts the whole before it reads a page") { (request, store) async throws(PersistencyError) in
            let total = try await store.total(request)
            let items = try await store.read(request.with(total: false))
            return ReadResult(items: items.items, next: items.next, total: total)
        },
        answering("counts the whole where the page does not, and lets others in between") {
            (request, store) async throws(PersistencyError) in
            let items = try await store.read(request.with(total: false))
            guard request.includesTotal, items.next != nil else {
                return ReadResult(
                    items: items.items, next: items.next, total: request.includesTotal ? items.items.count : nil)
            }
            await Task.yield()
            return ReadResult(items: items.items, next: items.next, total: try await store.total(request))
        },
        answering("counts the whole of a later page after it has read the page") {
            (request, store) async throws(PersistencyError) in
            if request.after == nil { return try await store.read(request) }
            let items = try await store.read(request.with(total: false))
            await Task.yield()
            let total = request.includesTotal ? try await store.total(request) : nil
            return ReadResult(items: items.items, next: items.next, total: total)
        },
        Mutation(.concurrency, "shows a change set schema by schema") { mutation in
            // The preceding roots of each schema, shown until its turn.
            let hidden = Kept<[String: [StorageObject]]>([:])
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                let names = Set(changes.updates.map(\.key.schema.name)).sorted()
                if names.count > 1 {
                    var old: [String: [StorageObject]] = [:]
                    for name in names { if let schema = store.schemas[name] { old[name] = await store.all(schema) } }
                    _ = hidden.exchange(old)
                }
                let receipt = try await store.commit(changes)
                for name in names {
                    for _ in 0..<5 { await Task.yield() }
                    _ = hidden.change { $0.filter { $0.key != name } }
                }
                return receipt
            }
            mutation.answer = { (request, store) async throws(PersistencyError) in
                guard let old = hidden.change({ $0 })[request.schema.name] else { return try await store.read(request) }
                return request.answer(from: old)
            }
            mutation.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                let old = hidden.change { $0 }[schema.name]
                if let old { return old.filter { ids.contains($0.id) } }
                return try await store.read(ids, of: schema)
            }
        },
        Mutation(.concurrency, "counts each half of the roots on its own") {
            $0.tally = { (request, store) async throws(PersistencyError) in
                var counts: [Value: Int] = [:]
                let middle = try await store.read(ReadRequest(request.schema)).items.dropFirst(6).first
                for comparison in [Comparison.less, .greaterOrEqual] {
                    let half = Condition.compare(.id, comparison, .literal(.id(middle?.id ?? RawID(high: 0, low: 0))))
                    let part = ReadRequest(request.schema, where: .and([request.condition, half]))
                    let items = try await store.read(part).items
                    for key in items.flatMap(request.keys) { counts[key, default: 0] += 1 }
                }
                return counts
            }
        },
        Mutation(.concurrency, "finds roots, and reads them later to count them") {
            $0.tally = { (request, store) async throws(PersistencyError) in
                let found = try await store.read(ReadRequest(request.schema, where: request.condition)).items
                await Task.yield()
                let items = try await store.read(found.map(\.id), of: request.schema)
                return items.flatMap(request.keys).reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
        },
        Mutation(.concurrency, "reads owned objects after the roots") { mutation in
            mutation.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                let roots = try await store.read(ids, of: schema)
                if schema.children.isEmpty { return roots }
                await Task.yield()
                let again = try await store.read(ids, of: schema)
                return roots.map { root in
                    var root = root
                    root.children = again.first { $0.id == root.id }?.children ?? []
                    return root
                }
            }
        },
        Mutation(.concurrency, "reads the links of roots after the roots") { mutation in
            mutation.answer = { (request, store) async throws(PersistencyError) in
                let page = try await store.read(request)
                if request.schema.links.isEmpty { return page }
                await Task.yield()
                let again = try await store.read(page.items.map(\.id), of: request.schema)
                let items = page.items.map { root in
                    var root = root
                    root.links = again.first { $0.id == root.id }?.links ?? root.links
                    return root
                }
                return ReadResult(items: items, next: page.next, total: page.total)
            }
        },
        answering("looks whether more follow after it has read a page") {
            (request, store) async throws(PersistencyError) in
            let page = try await store.read(request)
            guard let limit = request.limit, let last = page.items.last else { return page }
            await Task.yield()
            var rest = request
            (rest.after, rest.limit) = (Place(of: last, in: request.order), 1)
            let hasMore = try await !store.read(rest).items.isEmpty && page.items.count == limit
            return ReadResult(items: page.items, next: hasMore ? rest.after : nil, total: page.total)
        },
        Mutation(.concurrency, "reads more than 256 ids in parts") {
            $0.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                var found: [StorageObject] = []
                for start in stride(from: 0, to: ids.count, by: 256) {
                    found += try await store.read(Array(ids[start..<min(start + 256, ids.count)]), of: schema)
                    await Task.yield()
                }
                var seen: Set<RawID> = []
                return found.filter { seen.insert($0.id).inserted }
            }
        },
    ]

    private static func answering(
        _ name: String,
        _ answer:
            @escaping @Sendable (ReadRequest, MemoryStore) async throws(PersistencyError)
            -> ReadResult<StorageObject>
    ) -> Mutation {
        Mutation(.concurrency, name) { $0.answer = answer }
    }
}

extension ReadRequest {
    fileprivate func with(total: Bool) -> ReadRequest {
        var request = self
        request.includesTotal = total
        return request
    }
}

extension MemoryStore {
    fileprivate nonisolated func total(_ request: ReadRequest) async throws(PersistencyError) -> Int? {
        guard request.includesTotal else { return nil }
        return try await read(ReadRequest(request.schema, where: request.condition)).items.count
    }
}
