import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    static let writing: [Mutation] = [
        Mutation(.commits, "does not judge roots that were only read") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.reads = []
                return try await store.commit(changes)
            }
        },
        Mutation([.commits, .lifecycle], "takes change sets of any size, part by part") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                guard changes.byteCount > ChangeSet.byteLimit else { return try await store.commit(changes) }
                var changes = changes
                let half = changes.inserts.count / 2
                _ = try await store.commit(ChangeSet(inserts: Array(changes.inserts.prefix(half))))
                changes.inserts.removeFirst(half)
                return try await store.commit(changes)
            }
        },
        Mutation([.lifecycle, .uniqueness, .concurrency], "creates over an existing root") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                for object in changes.inserts {
                    guard let old = try await store.read([object.id], of: object.schema).first else { continue }
                    changes.inserts.removeAll { $0.id == object.id && $0.schema == object.schema }
                    changes.updates.append(
                        RootUpdate(
                            EntityKey(object.schema, object.id), expected: old.version,
                            changes: ObjectChanges(from: old, to: object)))
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.graph, "leaves orphans behind when owned objects go") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commit(changes.mapUpdates { $0.children.removeAll { $0.kind == .delete } })
            }
        },
        Mutation(.graph, "leaves owned objects where they were") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commit(
                    changes.mapUpdates { update in
                        update.children = update.children.map { change in
                            guard case .update(_, let inner) = change.kind else { return change }
                            return ChildChange(
                                relationship: change.relationship, id: change.id, kind: .update(position: nil, inner))
                        }
                    })
            }
        },
        Mutation(.commits, "names the last of the versions that do not fit") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .conflict = error else { throw error }
                    return try await store.commit(
                        ChangeSet(
                            inserts: changes.inserts, updates: changes.updates.reversed(),
                            deletes: changes.deletes.reversed(), reads: changes.reads.reversed()))
                }
            }
        },
        Mutation(.commits, "keeps the version of a root if an update sets only values that it has") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                // The values of undeclared members cannot be compared.
                let isDeclared = (try? changes.check(against: store.schemas)) != nil
                if !isDeclared { return try await store.commit(changes) }
                for update in changes.updates where !update.changes.isEmpty {
                    guard let old = try await store.read(update.key.id, of: update.key.schema),
                        old.applying(update.changes) == old
                    else { continue }
                    changes.updates.removeAll { $0 == update }
                    changes.reads.append(RootExpectation(update.key, version: update.expected))
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "accepts deletions of missing roots") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                for delete in changes.deletes where delete.version != nil {
                    let found = try await store.read([delete.key.id], of: delete.key.schema)
                    if found.isEmpty { changes.deletes.removeAll { $0 == delete } }
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.uniqueness, "compares 64 bytes of unique texts") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for object in changes.inserts where object.schema.uniques.contains([0]) {
                    let all = try await store.read(ReadRequest(object.schema)).items + changes.inserts
                    for other in all where other.schema == object.schema && other.id != object.id {
                        guard case (.text(let one), .text(let two)) = (object.values[0], other.values[0]) else {
                            continue
                        }
                        if one.utf8.count < 64 || !one.utf8.prefix(64).elementsEqual(two.utf8.prefix(64)) { continue }
                        let column = object.schema.columns[0].name
                        throw .duplicate(Duplicate(entity: object.schema.name, columns: [column], existing: other.id))
                    }
                }
                return try await store.commit(changes)
            }
        },
        Mutation([.uniqueness, .concurrency], "does not judge uniqueness") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commit(changes.mapSchemas { $0.without(uniques: true) })
            }
        },
        Mutation(.uniqueness, "judges uniqueness row by row") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for update in changes.updates {
                    for group in update.key.schema.uniques where group.count == 1 {
                        guard let change = update.changes.columns.first(where: { $0.column == group[0] }) else {
                            continue
                        }
                        let holders = ReadRequest(
                            update.key.schema, where: .compare(.column(group[0]), .equal, .literal(change.value)))
                        guard let holder = try await store.read(holders).items.first else { continue }
                        let columns = [update.key.schema.columns[group[0]].name]
                        throw .duplicate(
                            Duplicate(entity: update.key.schema.name, columns: columns, existing: holder.id))
                    }
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.uniqueness, "takes whatever the commit writes under a holder's id for the holder") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .duplicate(let duplicate) = error, duplicate.columns != ["id"],
                        changes.inserts.contains(where: { $0.id == duplicate.existing })
                    else { throw error }
                    return try await store.commit(changes.mapSchemas { $0.without(uniques: true) })
                }
            }
        },
        Mutation(.deleteRules, "lets references dangle") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commit(changes.mapSchemas { $0.without(references: true) })
            }
        },
        Mutation(.deleteRules, "deletes all roots that refer to a deleted one") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                while true {
                    do throws(PersistencyError) {
                        return try await store.commit(changes)
                    } catch .dangling(let dangling) {
                        let referrers = try await store.referrers(to: dangling.id)
                        guard !referrers.isEmpty else { throw .dangling(dangling) }
                        changes.deletes += referrers
                    }
                }
            }
        },
        Mutation(.changeTracking, "writes all owned objects again with each update") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                var updates: [RootUpdate] = []
                for update in changes.updates {
                    let old = try await store.read([update.key.id], of: update.key.schema).first
                    updates.append(old.map { update.rewritingChildren(of: $0) } ?? update)
                }
                changes.updates = updates
                return try await store.commit(changes)
            }
        },
        Mutation(.conflicts, "ignores the versions that updates and deletions expect") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try await store.commit(try await store.expectingWhatIs(changes))
            }
        },
    ]
}

extension MemoryStore {
    /// The change set with its expected versions replaced by the current ones.
    nonisolated func expectingWhatIs(_ changes: ChangeSet) async throws(PersistencyError) -> ChangeSet {
        var changes = changes
        var (updates, deletes): ([RootUpdate], [RootExpectation]) = ([], [])
        for update in changes.updates {
            let found = try await read([update.key.id], of: update.key.schema).first
            updates.append(RootUpdate(update.key, expected: found?.version ?? update.expected, changes: update.changes))
        }
        for delete in changes.deletes {
            let found = try await read([delete.key.id], of: delete.key.schema).first
            deletes.append(RootExpectation(delete.key, version: found?.version ?? delete.version))
        }
        (changes.updates, changes.deletes) = (updates, deletes)
        return changes
    }

    /// The roots that refer to an id by a column.
    fileprivate nonisolated func referrers(to id: RawID) async throws(PersistencyError) -> [RootExpectation] {
        var found: [RootExpectation] = []
        for schema in schemas.roots {
            for (index, column) in schema.columns.enumerated() where column.reference != nil {
                let request = ReadRequest(schema, where: .compare(.column(index), .equal, .literal(.id(id))))
                for root in try await read(request).items {
                    found.append(RootExpectation(EntityKey(schema, root.id), version: root.version))
                }
            }
        }
        return found
    }
}

extension ChangeSet {
    fileprivate func mapUpdates(_ change: (inout ObjectChanges) -> Void) -> ChangeSet {
        var changes = self
        changes.updates = updates.map { update in
            var inner = update.changes
            change(&inner)
            return RootUpdate(update.key, expected: update.expected, changes: inner)
        }
        return changes
    }

    fileprivate func mapSchemas(_ transform: (EntitySchema) -> EntitySchema) -> ChangeSet {
        var changes = self
        changes.inserts = inserts.map { object in
            StorageObject(
                schema: transform(object.schema), id: object.id, values: object.values, children: object.children,
                links: object.links)
        }
        return changes
    }
}

extension RootUpdate {
    fileprivate func rewritingChildren(of old: StorageObject) -> RootUpdate {
        var all = changes
        for (list, children) in old.children.enumerated() {
            for (position, child) in children.enumerated() where !all.children.contains(where: { $0.id == child.id }) {
                let rewritten = ChildChange.Kind.update(position: position, ObjectChanges())
                all.children.append(ChildChange(relationship: list, id: child.id, kind: rewritten))
            }
        }
        return RootUpdate(key, expected: expected, changes: all)
    }
}

extension EntitySchema {
    fileprivate func without(uniques noUniques: Bool = false, references noReferences: Bool = false) -> EntitySchema {
        let plain = columns.map { column in
            Column(
                name: column.name, type: column.type, isNullable: column.isNullable, defaultValue: column.defaultValue,
                isDerived: column.isDerived, reference: noReferences ? nil : column.reference)
        }
        return EntitySchema(
            name: name, columns: plain, children: children, links: links, uniques: noUniques ? [] : uniques,
            indexes: indexes)
    }
}
