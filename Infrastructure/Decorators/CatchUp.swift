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
    /// The rounds during which commits run, before one without.
    private static let rounds = 16

    /// - Parameters:
    ///   - source: A store with a journal.
    ///   - target: A store with the same schemas, and the content of the source after the commit of a token, or later.
    ///     Nothing else is committed to it.
    public init(from source: any Store, to target: any Store) {
        (self.source, self.target) = (source, target)
    }

    /// Applies the commits after a token to the target. Nothing may be committed to the source meanwhile.
    ///
    /// - Returns: The token of the last commit, and the number of changed roots.
    /// - Throws: `incompatible` for a token of another lifetime of the source, or one after which its journal has dropped
    ///   commits; `unavailable` (`tooLarge`) if more has changed than one commit may contain; errors of the stores.
    /// - Complexity: O(*n* log *n*) for *n* roots in the commits, with the changed ones in memory.
    public func run(after token: ChangeToken) async throws(PersistencyError) -> (token: ChangeToken, count: Int) {
        var missed = MissedChanges(after: token)
        try await add(try await commits(after: token), to: &missed)
        let changes = missed.changes(target.schemas)
        if !changes.isEmpty { _ = try await target.commit(changes) }
        return (missed.token, missed.count)
    }

    /// The changes that the target lacks; commits to the source go on meanwhile.
    ///
    /// They wait for the last round only, which reads from the source what has changed since the round before. The
    /// target is never read or written meanwhile, unless many successive rounds were too long or deleted the targets of
    /// references.
    ///
    /// - Parameter gate: Passed by all commits to the source.
    /// - Throws: As ``run(after:)``.
    func missed(after token: ChangeToken, _ gate: CommitGate) async throws(PersistencyError) -> MissedChanges {
        var missed = MissedChanges(after: token)
        for _ in 0..<Self.rounds {
            try await add(try await commits(after: missed.token), to: &missed)
            let reached = missed.token
            let last = try await gate.alone { () async throws(PersistencyError) -> (Round, [Page])? in
                let round = try await commits(after: reached)
                guard round.count <= Self.page, round.removals.isEmpty, round.bulk.isEmpty else { return nil }
                var pages: [Page] = []
                for schema in target.schemas.roots {
                    guard let ids = round.ids[schema.name]?.sorted() else { continue }
                    pages.append((schema, ids, try await source.read(ids, of: schema)))
                }
                return (round, pages)
            }
            guard let (round, pages) = last else { continue }
            for page in pages { try await compare(page, &missed) }
            missed.note(round)
            return missed
        }
        return try await gate.alone { [missed] () async throws(PersistencyError) -> MissedChanges in
            var missed = missed
            try await add(try await commits(after: missed.token), to: &missed)
            return missed
        }
    }

    /// Roots of the source: those of the ids that exist.
    private typealias Page = (schema: EntitySchema, ids: [RawID], found: [StorageObject])

    /// The content of the journal after a token.
    struct Round {
        var token: ChangeToken
        var commits: [CommitID] = []
        var ids: [String: Set<RawID>] = [:]
        var removals: Set<Removal> = []
        /// The entities of bulk updates.
        var bulk: Set<String> = []

        var count: Int { ids.values.reduce(0) { $0 + $1.count } }
    }

    private func commits(after token: ChangeToken) async throws(PersistencyError) -> Round {
        let end = try await source.commit(ChangeSet()).token
        guard end.lifetime == token.lifetime else {
            throw .incompatible("the copy is of another store, or of an earlier lifetime of this one")
        }
        var round = Round(token: token)
        guard token.position < end.position else { return round }
        for await event in await source.changes(after: token) {
            guard case .commit(let commit) = event else {
                throw .incompatible("the journal of the source does not retain all changes since the copy was made")
            }
            round.commits.append(commit.id)
            // The record of a mirror describes only its own store.
            for entry in commit.entries where entry.reference.entity != MirrorRecord.schema.name {
                round.ids[entry.reference.entity, default: []].insert(entry.reference.id)
            }
            round.removals.formUnion(commit.removals.map(Removal.init))
            if let bulk = commit.bulk { round.bulk.insert(bulk.entity) }
            round.token = commit.token
            if commit.token.position >= end.position { return round }
        }
        throw .unavailable(Unavailable(.closed, "the source was closed while its changes were read"))
    }

    /// Adds the differences of the roots that commits have changed: named roots, roots with removed references, and all
    /// roots of which some were changed by a bulk update.
    private func add(_ round: Round, to missed: inout MissedChanges) async throws(PersistencyError) {
        for schema in target.schemas.roots {
            let ids = try await changedIDs(of: schema, in: round, missed)
            for start in stride(from: 0, to: ids.count, by: Self.page) {
                let page = Array(ids[start..<min(start + Self.page, ids.count)])
                try await compare((schema, page, try await source.read(page, of: schema)), &missed)
            }
        }
        missed.note(round)
    }

    private func changedIDs(
        of schema: EntitySchema, in round: Round, _ missed: MissedChanges
    ) async throws(PersistencyError) -> [RawID] {
        var ids = round.ids[schema.name] ?? []
        if round.bulk.contains(schema.name) {
            for store in [source, target] { ids.formUnion(try await self.ids(of: schema, in: store, .always(true))) }
            return ids.sorted()
        }
        for removal in round.removals where removal.entity == schema.name {
            guard let reference = schema.references.first(where: { $0.names == removal.path }) else { continue }
            // The journal does not name the roots that had the reference: they have it in the target still, or an
            // earlier round has read them.
            ids.formUnion(missed.ids(of: schema))
            ids.formUnion(try await self.ids(of: schema, in: target, reference.refers(to: removal.target)))
        }
        return ids.sorted()
    }

    private func ids(
        of schema: EntitySchema, in store: any Store, _ condition: Condition
    ) async throws(PersistencyError) -> Set<RawID> {
        var ids: Set<RawID> = []
        var request = ReadRequest(schema, where: condition, limit: Self.page)
        request.content = .versions
        repeat {
            let found = try await store.read(request) { root throws(PersistencyError) in root.id }
            ids.formUnion(found.items)
            request.after = found.next
        } while request.after != nil
        return ids
    }

    /// Notes which roots of a page differ in the target.
    private func compare(_ page: Page, _ missed: inout MissedChanges) async throws(PersistencyError) {
        let old = Dictionary(try await target.read(page.ids, of: page.schema).map { ($0.id, $0) }) { first, _ in first }
        let new = Dictionary(page.found.map { ($0.id, $0) }) { first, _ in first }
        for id in page.ids {
            let (old, new) = (old[id], new[id])
            let differs = old != new || old?.version != new?.version
            try missed.note(EntityKey(page.schema, id), differs ? (old, new) : nil)
        }
    }
}
