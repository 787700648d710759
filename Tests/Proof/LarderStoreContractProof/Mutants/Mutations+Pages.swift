import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Pages, counts, and lists that are correct only while they are short, and other defects of pages.
    static let pages: [Mutation] = [
        Mutation(.order, "reads 256 roots at a time, and skips those equal to the last") {
            $0.result = { request, result in
                guard !request.order.isEmpty, result.items.count > 256 else { return result }
                var (items, border): ([StorageObject], [Value]?) = ([], nil)
                for item in result.items {
                    let values = Place(of: item, in: request.order).values
                    if values == border { continue }
                    items.append(item)
                    border = items.count.isMultiple(of: 256) ? values : nil
                }
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
        Mutation(.order, "reads the owned objects of the first 900 owned objects of a page") {
            $0.result = { _, result in
                var left = 900
                let items = result.items.map { root in
                    root.mapChildren { list in
                        list.map { child in
                            left -= 1
                            return left >= 0 ? child : child.mapChildren { _ in [] }
                        }
                    }
                }
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
        Mutation(.commits, "cuts lists of links at 64 on pages") {
            $0.result = { _, result in
                ReadResult(items: result.items.map(\.withShortLinks), next: result.next, total: result.total)
            }
        },
        Mutation(.commits, "counts links up to 255") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .compare(.linkCount(let list), let comparison, .literal(let value)) = leaf else {
                        return nil
                    }
                    return comparison.holds(.integer(Int64(min(object.links[list].count, 255))), value)
                }
            }
        },
        Mutation(.commits, "finds no missing value in a list of over 100") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .isIn(let operand, let values) = leaf, values.count > 100 else { return nil }
                    return operand.value(of: object) != .null && leaf.holds(for: object)
                }
            }
        },
        Mutation(.queries, "asks one nested object for all that a condition asks of the list") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .anyChild(let list, .and(let parts)) = leaf, let joined = parts.joinedAny else {
                        return nil
                    }
                    return Condition.anyChild(relationship: list, joined).holds(for: object)
                }
            }
        },
        Mutation(.queries, "counts an id for each time that one of over 64 roots links it") {
            $0.tally = { (request, store) async throws(PersistencyError) in
                guard case .link(let list) = request.key else { return try await store.counts(request) }
                let found = try await store.read(ReadRequest(request.schema, where: request.condition)).items
                if found.count <= 64 { return try await store.counts(request) }
                return found.flatMap { $0.links[list] }.reduce(into: [:]) { $0[.id($1), default: 0] += 1 }
            }
        },
        Mutation(.queries, "says of all roots that they are at version 1 where only versions are read") {
            $0.result = { request, result in
                guard request.content == .versions else { return result }
                let items = result.items.map { root in
                    var root = root
                    root.version = 1
                    return root
                }
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
        Mutation(.queries, "lends at once the root as its first commit left it") { mutation in
            let first = Kept<[RawID: StorageObject]>([:])
            mutation.lookUpAtOnce = { id in first.change { $0 }[id].map { [$0] } ?? [] }
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                let receipt = try await store.commit(changes)
                for object in changes.inserts {
                    var object = object
                    object.version = 1
                    _ = first.change { $0.merging([object.id: object]) { first, _ in first } }
                }
                return receipt
            }
        },
        Mutation(.queries, "ends the page where the body of a read stops") { $0.endsWithBody = true },
        Mutation(.order, "ignores a limit of bytes") {
            $0.request = { request in
                var request = request
                request.byteLimit = nil
                return request
            }
        },
        Mutation(.order, "ends a page before the root that exceeds a limit of bytes") {
            $0.result = { request, result in
                guard request.byteLimit != nil, result.next != nil, result.items.count > 1 else { return result }
                let items = Array(result.items.dropLast())
                return ReadResult(
                    items: items, next: items.last.map { Place(of: $0, in: request.order) }, total: result.total)
            }
        },
        Mutation(.order, "ends a page one root after the root that exceeds a limit of bytes") {
            $0.answer = { (request, store) async throws(PersistencyError) in
                let page = try await store.read(request)
                guard request.byteLimit != nil, let next = page.next, page.items.count < request.limit ?? .max else {
                    return page
                }
                var more = request
                (more.after, more.limit, more.byteLimit) = (next, 1, nil)
                let rest = try await store.read(more)
                return ReadResult(items: page.items + rest.items, next: rest.next, total: page.total)
            }
        },
        Mutation(.order, "omits the root that exceeds a limit of bytes") {
            $0.result = { request, result in
                guard request.byteLimit != nil, result.next != nil, result.items.count > 1 else { return result }
                return ReadResult(items: result.items.dropLast(), next: result.next, total: result.total)
            }
        },
        Mutation(.commits, "lends roots in the order of their ids") { $0.lendsByID = true },
        Mutation(.storeLife, "answers a read of no ids, open or closed") {
            $0.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                ids.isEmpty ? [] : try await store.read(ids, of: schema)
            }
        },
        Mutation(.storeLife, "brings the last deleted root back with each 128th commit") { mutation in
            let (deleted, count) = (Kept<StorageObject?>(nil), Kept(0))
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                for delete in changes.deletes {
                    _ = deleted.exchange(try await store.read([delete.key.id], of: delete.key.schema).first)
                }
                let receipt = try await store.commit(changes)
                if count.change({ $0 + 1 }).isMultiple(of: 128), let back = deleted.exchange(nil) {
                    _ = try await store.commit(ChangeSet(inserts: [back]))
                }
                return receipt
            }
        },
        Mutation(.queries, "counts again when the number of roots or the greatest version changes") { mutation in
            let kept = Kept<[String: (Int, Int64, [Value: Int])]>([:])
            mutation.tally = { (request, store) async throws(PersistencyError) in
                let all = await store.all(request.schema)
                let greatest = all.map(\.version).max() ?? 0
                let name = "\(request.schema.name) \(request.key) \(request.condition)"
                if let old = kept.change({ $0 })[name], old.0 == all.count, old.1 == greatest { return old.2 }
                let counts = try await store.counts(request)
                _ = kept.change { $0.merging([name: (all.count, greatest, counts)]) { $1 } }
                return counts
            }
        },
        Mutation(.commits, "sorts the objects of a long list by their places as texts") {
            $0.found = { _, _, objects in
                objects.map { root in
                    root.mapChildren { list in
                        guard list.count > 1_000 else { return list }
                        return list.indices.sorted { "\($0)" < "\($1)" }.map { list[$0] }
                    }
                }
            }
        },
        telling("tells of more than 50 deletions in the order of their ids") { commit in
            guard commit.entries.count(where: { $0.kind == .deleted }) > 50 else { return commit }
            let others = commit.entries.filter { $0.kind != .deleted }
            let deleted = commit.entries.filter { $0.kind == .deleted }.sorted { $0.reference.id < $1.reference.id }
            return CommittedChanges(token: commit.token, id: commit.id, entries: others + deleted)
        },
        Mutation(.changes, "tells 100 observers") { mutation in
            let observers = Kept(0)
            mutation.changes = { stream in
                observers.change { $0 + 1 } <= 100 ? stream : AsyncStream { $0.finish() }
            }
        },
    ]
}

extension StorageObject {
    fileprivate var withShortLinks: StorageObject {
        var object = mapChildren { $0.map(\.withShortLinks) }
        object.links = links.map { Array($0.prefix(64)) }
        return object
    }
}

extension [Condition] {
    /// The conditions with all parts about one list combined for a single object; `nil` if no list occurs twice.
    fileprivate var joinedAny: Condition? {
        var (parts, lists): ([Condition], [Int: [Condition]]) = ([], [:])
        for part in self {
            if case .anyChild(let list, let inner) = part {
                lists[list, default: []].append(inner)
            } else {
                parts.append(part)
            }
        }
        guard lists.values.contains(where: { $0.count > 1 }) else { return nil }
        return .and(parts + lists.map { Condition.anyChild(relationship: $0.key, .and($0.value)) })
    }
}
