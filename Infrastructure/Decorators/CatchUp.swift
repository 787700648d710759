public import LarderData
public import LarderDomain

/// Brings a copy of a store to the state of the store, by the journal of the store: the target of a transfer, or a mirror.
///
/// The journal names the changed roots. Both stores are read, and differing roots are replaced in the copy, at their
/// versions, by one commit. A repetition changes nothing.
public struct CatchUp: Sendable {
    private let source: any Store
    private let target: any Store
    /// The roots that are read at once.
    private static let page = 256

    /// - Parameters:
    ///   - source: A store with a journal, to which nothing is committed meanwhile.
    ///   - target: A store with the same schemas, and the content of the source after the commit of a token, or later.
    public init(from source: any Store, to target: any Store) {
        (self.source, self.target) = (source, target)
    }

    /// Applies the commits after a token to the target.
    ///
    /// - Returns: The token of the last commit, and the number of changed roots.
    /// - Throws: `incompatible` for a token of another lifetime of the source, or one after which its journal has dropped
    ///   commits; `unavailable` (`tooLarge`) if more has changed than one commit may contain; errors of the stores.
    /// - Complexity: O(*n* log *n*) for *n* roots in the commits, with the changed ones in memory.
    public func run(after token: ChangeToken) async throws(PersistencyError) -> (token: ChangeToken, count: Int) {
        let end = try await source.commit(ChangeSet()).token
        guard end.lifetime == token.lifetime else {
            throw .incompatible("the copy is of another store, or of an earlier lifetime of this one")
        }
        let changes = try await missed(after: token, until: end).changes
        if !changes.isEmpty { _ = try await target.commit(changes) }
        return (end, Set(changes.inserts.map(\.key)).union(changes.deletes.map(\.key)).count)
    }

    /// The changes that bring the target to the state of the source, and the ids of the commits in between.
    ///
    /// - Throws: As ``run(after:)``.
    func missed(
        after token: ChangeToken, until end: ChangeToken
    ) async throws(PersistencyError) -> (changes: ChangeSet, commits: [CommitID]) {
        let (roots, commits) = try await changedRoots(after: token, until: end)
        var (changes, byteCount) = (ChangeSet(), 0)
        changes.keepsVersions = true
        for (schema, ids) in roots {
            for start in stride(from: 0, to: ids.count, by: Self.page) {
                let page = try await difference(Array(ids[start..<min(start + Self.page, ids.count)]), of: schema)
                changes.inserts += page.inserts
                changes.deletes += page.deletes
                byteCount += page.byteCount
                if byteCount > ChangeSet.byteLimit { try changes.checkSize() }
            }
        }
        return (changes, commits)
    }

    /// Replaces the roots that differ.
    private func difference(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> ChangeSet {
        var changes = ChangeSet()
        var old = Dictionary(try await target.read(ids, of: schema).map { ($0.id, $0) }) { first, _ in first }
        for new in try await source.read(ids, of: schema) {
            let stored = old.removeValue(forKey: new.id)
            if let stored, stored == new, stored.version == new.version { continue }
            changes.inserts.append(new)
            if let stored { changes.deletes.append(stored.replaced) }
        }
        changes.deletes += old.values.map(\.replaced)
        return changes
    }

    /// The roots that the commits name, and the roots of the target with references that the commits have removed: the
    /// journal does not name these.
    private func changedRoots(
        after token: ChangeToken, until end: ChangeToken
    ) async throws(PersistencyError) -> (roots: [(schema: EntitySchema, ids: [RawID])], commits: [CommitID]) {
        var (ids, removals, commits) = ([String: Set<RawID>](), Set<Removal>(), [CommitID]())
        var position = token.position
        if position < end.position {
            for await event in await source.changes(after: token) {
                guard case .commit(let commit) = event else {
                    throw .incompatible("the journal of the source does not retain all changes since the copy was made")
                }
                commits.append(commit.id)
                for entry in commit.entries { ids[entry.reference.entity, default: []].insert(entry.reference.id) }
                removals.formUnion(commit.removals.map(Removal.init))
                position = commit.token.position
                if position >= end.position { break }
            }
        }
        guard position >= end.position else {
            throw .unavailable(Unavailable(.closed, "the source was closed while its changes were read"))
        }
        var changed: [(schema: EntitySchema, ids: [RawID])] = []
        // The record of a mirror describes only its own store.
        for schema in target.schemas.roots where schema.name != MirrorRecord.schema.name {
            for removal in removals where removal.entity == schema.name {
                guard let reference = schema.references.first(where: { $0.names == removal.path }) else { continue }
                var request = ReadRequest(schema, where: reference.refers(to: removal.target), limit: Self.page)
                request.content = .versions
                repeat {
                    let found = try await target.read(request) { root throws(PersistencyError) in root.id }
                    ids[schema.name, default: []].formUnion(found.items)
                    request.after = found.next
                } while request.after != nil
            }
            if let ids = ids[schema.name] { changed.append((schema, ids.sorted())) }
        }
        return (changed, commits)
    }
}

/// A removed reference, without repetitions.
private struct Removal: Hashable {
    let entity: String
    let path: [String]
    let target: RawID

    init(_ removal: RemovedReference) {
        (entity, path, target) = (removal.entity, removal.path, removal.target.id)
    }
}

extension StorageObject {
    /// The expectation of the stored root that is replaced or deleted.
    fileprivate var replaced: RootExpectation { RootExpectation(key, version: version, owner: owner) }
}
