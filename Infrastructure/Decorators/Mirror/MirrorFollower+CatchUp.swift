internal import LarderData
internal import LarderDomain
private import Synchronization

extension MirrorFollower {
    /// The versions that a catch-up raises one by one; roots that are further behind are deleted and inserted.
    private static let raiseLimit: Int64 = 32

    /// Brings the mirror to the primary's last commit, without the change sets in between. Commits wait meanwhile.
    ///
    /// The journal names the changed roots, and the primary has their content. An interrupted catch-up is repeated from
    /// the recorded position: it compares the roots of both stores.
    ///
    /// - Throws: `incompatible` if the mirror is too far behind.
    /// - Complexity: O(*n*) for *n* changes, in as many commits as the largest difference of two versions.
    func catchUp() async throws(PersistencyError) {
        try await gate.alone { () throws(PersistencyError) in
            guard let start = record.source else { throw .stale(mirror.name, primary.name) }
            let end = try await primary.store.commit(ChangeSet()).token
            var missed = try await missedChanges(from: start, to: end)
            if record.role == .changing { try await addAllDifferent(&missed) }
            var difference = try await difference(missed)
            if !difference.replaced.isEmpty {
                try await delete(difference.replaced, missed.deleted, at: start)
                // References to the deleted roots were removed.
                difference = try await self.difference(missed)
            }
            try await apply(difference, from: start, to: end)
            for id in missed.commits { pending.remove(id) }
            reached(end)
        }
    }

    private func difference(_ missed: MissedChanges) async throws(PersistencyError) -> Difference {
        var difference = Difference(raiseLimit: Self.raiseLimit, deleted: missed.deleted)
        for (name, ids) in missed.ids {
            guard let schema = mirror.store.schemas[name] else { continue }
            let ids = Array(ids)
            for start in stride(from: 0, to: ids.count, by: 256) {
                let page = Array(ids[start..<min(start + 256, ids.count)])
                difference.add(
                    from: try await mirror.store.read(page, of: schema),
                    to: try await primary.store.read(page, of: schema))
                guard difference.byteCount <= ChangeSet.byteLimit - 1024 else {
                    throw .stale(mirror.name, primary.name)
                }
            }
        }
        return difference
    }

    /// Deletes roots that the primary has deleted and created again, and others that were changed too often. The primary
    /// has changed each root that referred to a deleted one.
    private func delete(
        _ replaced: [RootExpectation], _ deleted: Set<EntityReference>, at start: ChangeToken
    ) async throws(PersistencyError) {
        var changes = ChangeSet(deletes: replaced)
        for root in replaced where deleted.contains(root.key.reference) {
            let references = mirror.store.schemas.references(to: root.key.schema).filter(\.isRemovable)
            changes.removals += references.map { ReferenceRemoval(of: root.key.id, from: $0) }
        }
        do {
            try await commit(&changes, as: .changing, at: start)
        } catch .dangling {
            throw .stale(mirror.name, primary.name)
        }
    }

    /// Adds the roots with other versions. After an interrupted catch-up, the journal does not lead to all of them:
    /// the mirror may have lost a reference before.
    private func addAllDifferent(_ missed: inout MissedChanges) async throws(PersistencyError) {
        for schema in mirror.store.schemas.roots where schema.name != MirrorRecord.schema.name {
            let request = ReadRequest(schema, content: .versions)
            let here = try await mirror.store.versions(request)
            let there = try await primary.store.versions(request)
            let keys = Set(here.keys).union(there.keys)
            missed.ids[schema.name, default: []].formUnion(keys.filter { here[$0] != there[$0] })
        }
    }

    private func apply(
        _ difference: Difference, from start: ChangeToken, to end: ChangeToken
    ) async throws(PersistencyError) {
        for step in 0..<Self.raiseLimit {
            let lagging = difference.raised.filter { $0.version + step < $0.target }
            if lagging.isEmpty { break }
            var changes = ChangeSet()
            changes.updates = lagging.map {
                RootUpdate($0.key, expected: $0.version + step, changes: ObjectChanges())
            }
            try await commit(&changes, as: .changing, at: start)
        }
        var changes = difference.changes
        changes.keepsVersions = true
        try await commit(&changes, as: .mirror, at: end)
    }

    /// The roots that commits have changed, with those in the mirror that lost a reference.
    private func missedChanges(
        from start: ChangeToken, to end: ChangeToken
    ) async throws(PersistencyError) -> MissedChanges {
        var missed = MissedChanges()
        if start.position < end.position {
            var position = start.position
            for await event in await primary.store.changes(after: start) {
                guard case .commit(let commit) = event else { throw .stale(mirror.name, primary.name) }
                missed.commits.append(commit.id)
                for entry in commit.entries {
                    missed.ids[entry.reference.entity, default: []].insert(entry.reference.id)
                }
                missed.deleted.formUnion(commit.entries.filter { $0.kind == .deleted }.map(\.reference))
                for removal in commit.removals {
                    missed.ids[removal.entity, default: []].formUnion(try await referrers(removal))
                }
                position = commit.token.position
                if position >= end.position { break }
            }
            guard position >= end.position else { throw .closed }
        }
        // The record of the primary describes only the primary.
        missed.ids[MirrorRecord.schema.name] = nil
        return missed
    }

    /// The roots of the mirror with a reference that a commit has removed.
    private func referrers(_ removal: RemovedReference) async throws(PersistencyError) -> [RawID] {
        guard let target = mirror.store.schemas[removal.target.entity],
            let reference = mirror.store.schemas.references(to: target).first(where: {
                $0.root.name == removal.entity && $0.names == removal.path
            })
        else { return [] }
        let request = ReadRequest(reference.root, where: reference.refers(to: removal.target.id), content: .versions)
        return try await mirror.store.ids(request)
    }
}

extension Store {
    /// The ids and versions of a page.
    func versions(_ request: ReadRequest) async throws(PersistencyError) -> [RawID: Int64] {
        let found = Mutex<[RawID: Int64]>([:])
        _ = try await withRows(request) { (rows) throws(PersistencyError) in
            while try rows.next() {
                let (id, version) = (rows.id, rows.version)
                found.withLock { $0[id] = version }
            }
        }
        return found.withLock(\.self)
    }

    /// The ids of a page, ascending.
    func ids(_ request: ReadRequest) async throws(PersistencyError) -> [RawID] {
        try await versions(request).keys.sorted()
    }
}

/// The changes of a range of commits.
private struct MissedChanges {
    /// The roots that may differ, by schema: roots that the journal names, and roots that lost a reference.
    var ids: [String: Set<RawID>] = [:]
    /// The roots that the primary has deleted; they may exist again.
    var deleted: Set<EntityReference> = []
    var commits: [CommitID] = []
}

/// The changes that make the roots of a mirror equal to those of its primary, versions included.
private struct Difference {
    let raiseLimit: Int64
    let deleted: Set<EntityReference>
    /// Roots that exist in both, but cannot be updated to the primary's version. They must be deleted first.
    var replaced: [RootExpectation] = []
    /// Roots that need empty updates until they have the version `target`.
    var raised: [(key: EntityKey, version: Int64, target: Int64)] = []
    var changes = ChangeSet()
    var byteCount = 0

    /// Adds roots with the same ids: of the mirror, and of the primary.
    mutating func add(from here: [StorageObject], to there: [StorageObject]) {
        let old = Dictionary(here.map { ($0.id, $0) }) { first, _ in first }
        let new = Dictionary(there.map { ($0.id, $0) }) { first, _ in first }
        var part = ChangeSet()
        for root in here where new[root.id] == nil {
            part.deletes.append(RootExpectation(root.key, version: root.version, owner: root.owner))
        }
        for root in there {
            guard let stored = old[root.id] else {
                part.inserts.append(root)
                continue
            }
            let (distance, isAgain) = (root.version - stored.version, deleted.contains(root.reference))
            if distance == 0, root == stored, !isAgain { continue }
            if !isAgain, (1...raiseLimit).contains(distance) {
                raised.append((root.key, stored.version, root.version - 1))
                part.updates.append(
                    RootUpdate(
                        root.key, expected: root.version - 1, changes: ObjectChanges(from: stored, to: root),
                        owner: root.owner))
            } else {
                // The root was deleted and created again, or was changed too often.
                replaced.append(RootExpectation(root.key, version: stored.version, owner: stored.owner))
                part.inserts.append(root)
            }
        }
        byteCount += part.byteCount
        changes.inserts += part.inserts
        changes.updates += part.updates
        changes.deletes += part.deletes
    }
}
