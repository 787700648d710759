import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects of searches and of their words.
    static let search: [Mutation] = [
        Mutation(.queries, "ranks by all words") {
            $0.request = { request in
                var request = request
                request.order = request.order.map { term in
                    guard case .childSum(let list, let column, _) = term.operand else { return term }
                    let all = Operand.childSum(relationship: list, column: column, where: .always(true))
                    return OrderTerm(all, isDescending: term.isDescending)
                }
                return request
            }
        },
        Mutation(.queries, "counts the words that match, without their weights") {
            $0.result = { request, result in
                guard case .childSum(let list, _, let condition)? = request.order.first?.operand else { return result }
                func count(_ object: StorageObject) -> Int { object.children[list].count { condition.holds(for: $0) } }
                let items = result.items.sorted { count($0) == count($1) ? $0.id < $1.id : count($0) > count($1) }
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
        Mutation(.queries, "finds a prefix only as a whole word") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .anyChild(let list, .hasPrefix(let token, let prefix)) = leaf else { return nil }
                    return object.children[list].contains { token.value(of: $0) == .text(prefix) }
                }
            }
        },
        Mutation([.queries, .changeTracking], "keeps the words of the first version") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commit(
                    changes.mapUpdates { update in
                        update.without { list in update.key.schema.children[list].schema.isDerived }
                    })
            }
        },
        Mutation(.changeTracking, "removes the words of an entity if an update contains none") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var emptied = changes
                for (number, update) in changes.updates.enumerated() {
                    guard let list = update.key.schema.children.firstIndex(where: \.schema.isDerived),
                        !update.changes.children.contains(where: { $0.relationship == list }),
                        let root = try await store.read(update.key.id, of: update.key.schema)
                    else { continue }
                    var all = update.changes
                    all.children += root.children[list].map {
                        ChildChange(relationship: list, id: $0.id, kind: .delete)
                    }
                    emptied.updates[number] = RootUpdate(
                        update.key, expected: update.expected, changes: all, owner: update.owner)
                }
                return try await store.commit(emptied)
            }
        },
        Mutation(.changeTracking, "writes all words of an entity if one changes") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var rewritten = changes
                for (number, update) in changes.updates.enumerated() {
                    guard let list = update.key.schema.children.firstIndex(where: \.schema.isDerived),
                        let root = try await store.read(update.key.id, of: update.key.schema),
                        update.changes.children.contains(where: { $0.relationship == list })
                    else { continue }
                    var all = update.changes
                    let changed = Set(all.children.map(\.id))
                    for word in root.children[list] where !changed.contains(word.id) {
                        var same = ObjectChanges()
                        same.columns = [ColumnChange(column: 1, value: word.values[1])]
                        all.children.append(
                            ChildChange(relationship: list, id: word.id, kind: .update(position: nil, same)))
                    }
                    rewritten.updates[number] = RootUpdate(
                        update.key, expected: update.expected, changes: all, owner: update.owner)
                }
                return try await store.commit(rewritten)
            }
        },
    ]
}

extension ChangeSet {
    fileprivate func mapUpdates(_ change: (RootUpdate) -> RootUpdate) -> ChangeSet {
        var changes = self
        changes.updates = updates.map(change)
        return changes
    }
}

extension RootUpdate {
    /// The update without the changes of some owned lists.
    fileprivate func without(_ list: (Int) -> Bool) -> RootUpdate {
        var rest = changes
        rest.children.removeAll { list($0.relationship) }
        return RootUpdate(key, expected: expected, changes: rest, owner: owner)
    }
}
