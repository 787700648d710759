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
                    guard case .rank(let list, _) = term.operand else { return term }
                    return OrderTerm(.rank(relationship: list, [" "]), isDescending: term.isDescending)
                }
                return request
            }
        },
        Mutation(.queries, "ranks any number of roots") {
            $0.request = { request in
                var request = request
                request.rankLimit = .max
                return request
            }
        },
        Mutation(.queries, "counts what a search ranks on the page that it asks for") {
            $0.request = { request in
                var request = request
                if request.after != nil { request.rankLimit += 1 }
                return request
            }
        },
        Mutation(.queries, "counts the words that match, without their weights") {
            $0.result = { request, result in
                guard case .rank(let list, let starts)? = request.order.first?.operand else { return result }
                func count(_ object: StorageObject) -> Int {
                    object.children[list].flatMap { WordText($0.values[0]).words }.count { word in
                        starts.contains { WordText.start(of: String(word)).hasPrefix($0) }
                    }
                }
                let items = result.items.sorted { count($0) == count($1) ? $0.id < $1.id : count($0) > count($1) }
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
        Mutation(.queries, "finds a prefix only as a whole word") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .anyChild(let list, .contains(let words, let start)) = leaf, start.first == " " else {
                        return nil
                    }
                    let entry = start.hasSuffix(":") ? start : start + ":"
                    return object.children[list].contains { Condition.contains(words, entry).holds(for: $0) }
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
        Mutation(.changeTracking, "writes the words of an entity with each update") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var rewritten = changes
                for (number, update) in changes.updates.enumerated() {
                    guard let list = update.key.schema.searchList,
                        let root = try await store.read(update.key.id, of: update.key.schema)
                    else { continue }
                    var all = update.changes
                    all.children.removeAll { $0.relationship == list }
                    all.children += root.children[list].map { words in
                        ChildChange(relationship: list, id: words.id, kind: .delete)
                    }
                    let new = root.applying(update.changes).children[list]
                    all.children += new.map {
                        ChildChange(relationship: list, id: $0.id, kind: .insert($0, position: 0))
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
