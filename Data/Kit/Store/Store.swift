public import LarderDomain

/// The port that every backend implements: storage of objects with schemas.
///
/// A store knows schemas, not entities. `LarderStoreContract` checks that a backend behaves as documented here: its
/// laws name the ids in brackets. Mapping, change tracking, transactions, and delete rules are built once, on these
/// requirements.
///
/// A store is opened with a ``SchemaSet``. A read or count of a schema that is not a root of this set throws
/// `unknownEntity` [store.1]. A root is inserted, read and deleted with everything that it owns [store.2]. Nullable or
/// defaulted columns that the data has, and the set does not, keep their values [store.3]. A scan, a sync and a wait
/// for a lock do not block the cooperative pool [store.4]. A call that is cancelled leaves the store usable [store.8].
public protocol Store: AnyObject, Sendable {
    /// The identity of the store: equal for a store and all its decorators [store.5], and unique while the store exists
    /// [store.6].
    var identity: ObjectIdentifier { get }

    /// The store's kind and capabilities.
    var traits: StoreTraits { get }

    /// The schemas with which the store was opened [store.7].
    var schemas: SchemaSet { get }

    /// Lends the roots with these ids, in any order [ids.1]. Unknown ids are ignored [ids.2], and a repeated id yields
    /// its root once [ids.3].
    ///
    /// The number of ids is unlimited [ids.4], and all roots are from one snapshot [ids.5]. With few ids and small
    /// rows, the call is short, and the body may run on the caller's thread. The primary copy answers [ids.6]; to allow
    /// a replica, request a page with a condition on ids.
    ///
    /// - Parameters:
    ///   - ids: The ids.
    ///   - schema: The schema of the roots.
    ///   - body: Receives the rows. See ``withRows(_:_:)``.
    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError)

    /// Lends the root with this id, or no row if it does not exist, before the call returns [lend.1].
    ///
    /// It is a faster ``withRows(_:of:_:)`` for one id, which the caller calls if the store declines, because it would
    /// block. A decorator does not forward the call by default, because this would bypass its `withRows`: both it and
    /// other stores always decline.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - schema: The schema of the root.
    ///   - body: Called at most once [lend.2], and not at all if the store declines [lend.3].
    func lendAtOnce(_ id: RawID, of schema: EntitySchema, to body: RowVisitor) throws(PersistencyError) -> LendAnswer

    /// Lends a page of the roots that satisfy a condition.
    ///
    /// ``Condition`` and ``ReadRequest`` define the content and the order. The rows, with everything that they own and
    /// link [page.1], the total [page.2], and the end of the page [page.3] are from one snapshot, for every limit and
    /// number of roots. The snapshot satisfies ``ReadRequest/consistency`` [page.4]; a token of another lifetime of the
    /// store is refused (`unsupportedQuery`) [page.5], because its commits are not comparable. The same applies to
    /// counts [counts.1].
    ///
    /// - Parameters:
    ///   - request: The condition, the order, and the bounds of the page.
    ///   - body: Receives each root of the page, and no other [page.6], in the order of the page, in any number of
    ///     consecutive calls [page.7], also in none if there are no rows. An error that it throws ends the read without
    ///     another call [page.8], and is rethrown [page.9]. It runs where the store scans [page.10], so that mapping
    ///     many rows does not block the cooperative pool. Rows that it does not read are skipped [page.11].
    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd

    /// The number of roots that satisfy a condition, for each value, id or length of the request's key [counts.2], in
    /// one snapshot [counts.3].
    ///
    /// The default counts with ``aggregates(_:)``.
    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int]

    /// Figures of the roots that satisfy a condition, for each group of them, in one snapshot [aggregate.10].
    ///
    /// The default reads all of them.
    func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable

    /// Stores one change set atomically, regardless of its size [commit.1].
    ///
    /// Reads by id and by condition see either all of it or nothing [commit.2]. When the call returns, the change set
    /// can be read [commit.3]. A ``Capability/durable`` store has written it by then: it survives a kill of the process
    /// at this moment [commit.4], and reads the same after the store is opened again [commit.5]. Closing writes
    /// nothing.
    ///
    /// A change set with several faults is refused for the first fault in this order [commit.6]:
    ///
    /// 1. a closed store (`unavailable`, `closed`) or a call in a cancelled task (`cancelled`) [commit.7]: with both,
    ///    either;
    /// 2. a fault that ``ChangeSet/check(against:isSealing:)`` finds [commit.8]: `tooLarge` before `unknownEntity` and
    ///    `invalid` [commit.9];
    /// 3. versions (`conflict`, with `found` `nil` for a root that does not exist) [commit.10]: of the reads, then the
    ///    updates, then the deletes, each in the order of the change set [commit.11];
    /// 4. existing ids of inserted roots (`duplicate` of `id`), in the order of the inserts [commit.12];
    /// 5. ids of owned objects that another object of the schema has, in any root (`duplicate` of `id`) [commit.13];
    /// 6. values of unique columns or groups of columns (`duplicate` of the columns) [commit.14];
    /// 7. references and links to missing roots (`dangling`), from roots and from their owned objects at any depth
    ///    [commit.15].
    ///
    /// Versions are checked before the change set is applied [commit.16]: updates, deletes and inserts first, then the
    /// removals, from all remaining roots [commit.17]. Each root that a removal affects rises by one version, once,
    /// even if the change set also updates it [commit.18]; an inserted root has version 1, unless the change set
    /// ``ChangeSet/keepsVersions`` [commit.19]. Removals use an index if the store has one, and only a bounded number
    /// of the affected roots is in memory in addition to the store's data [commit.20].
    ///
    /// Checks 5 to 7 apply to the final state of the change set, not to its steps: two roots may swap a unique value
    /// [commit.21], a value or owned id that is given up is free [commit.22], and a reference may name a root of the
    /// same change set [commit.23]. A reference to a deleted root dangles, even if its holder is not in the change set
    /// [commit.24]. Of several faults of kind 5, 6 or 7, the store may report any. Unique values are compared as
    /// ``Value`` defines, byte for byte, at any length [commit.25]; a group that contains `null` is not compared
    /// [commit.26]. An update without changes raises the version of its root [commit.27].
    ///
    /// A commit that is cancelled before the call throws `cancelled` without effect [commit.28]. A commit that is
    /// cancelled later throws `cancelled` without effect, or stores the whole change set and returns its receipt
    /// [commit.29].
    ///
    /// After any error except `inDoubt`, the change set is not stored, and will not be [commit.30].
    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt

    /// Whether the change set with this id is stored; see `CommitOutcome`.
    ///
    /// A store knows at least the last 65,536 commits since it was opened [outcome.1]. With a ``Capability/journal``,
    /// it also knows the retained commits of its lifetime [outcome.2], and that another one made meanwhile is `absent`
    /// [outcome.3]. Others are `unknown` [outcome.4].
    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome

    /// The commits after a position, in order [changes.1], each once it can be read [changes.2]. A commit is one
    /// element, including one that only deletes and one of thousands of roots [changes.3]. Empty and refused change
    /// sets are not published [changes.4].
    ///
    /// With a ``Capability/journal``, a stream starts after any token of the store's lifetime, also one from before it
    /// was opened [changes.5] or from another process [changes.6]. Each commit is delivered exactly once, in commit
    /// order [changes.7]. Commits that the journal does not retain are replaced by `ChangeEvent.gap(_:)` [changes.8],
    /// as is a change of the schemas that is not additive [changes.9]. A store without a journal retains no commits:
    /// the stream starts with a gap after any token except that of its last commit [changes.10].
    ///
    /// Each observer has a buffer of ``StoreTraits/changeBuffer`` commits [changes.11]. If it is further behind, its
    /// next commits are read from the journal, or it receives a gap [changes.12]. It delays neither commits nor other
    /// observers [changes.13]. When the store is closed, the stream ends, at the latest after the buffered commits
    /// [changes.14].
    ///
    /// - Parameter token: The position; `nil` for the last commit [changes.15]. A token of another lifetime
    ///   [changes.16], or of a commit that is later than the last [changes.17], starts with a gap.
    func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent>

    /// An optional capability, such as ``FileBackedStore``, or a decorator by its type [feature.1]; `nil` if neither
    /// the store nor, for a decorator, a store below it has it [feature.2].
    ///
    /// A decorator that transforms the data of its base refuses features that would bypass the transformation
    /// [feature.3].
    func feature<Feature>(_ type: Feature.Type) -> Feature?

    /// Closes the store. Later reads, counts and commits throw `unavailable` (`closed`) [close.1]; ``outcome(of:)`` may
    /// still answer. A durable store has written the acknowledged commits already; closing writes none of them. Calls
    /// that run meanwhile end, with a result or an error [close.2]. A closed store can be closed again [close.3].
    func close() async
}

/// The answer to ``Store/lendAtOnce(_:of:to:)``.
@frozen public enum LendAnswer: Sendable {
    /// The row was lent, or there is none.
    case lent
    /// The same, and the caller must yield: short reads that never suspend would occupy the cooperative pool.
    case lentLast
    /// The store has not read.
    case declined
}

extension Store {
    /// The number of roots by one key.
    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await aggregates(AggregateRequest(request)).counts
    }

    /// Reads all roots that satisfy the condition.
    public func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        let all = ReadRequest(request.schema, where: request.condition, consistency: request.consistency)
        let table = Found(AggregateTable(request))
        _ = try await withRows(all) { (rows) throws(PersistencyError) in
            while try rows.next() { table.value.add(try rows.storageObject()) }
        }
        return table.value
    }

    /// Declines.
    public func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer { .declined }

    /// The store itself.
    public var identity: ObjectIdentifier { ObjectIdentifier(self) }

    /// The store itself, if it has this type.
    public func feature<Feature>(_ type: Feature.Type) -> Feature? { self as? Feature }

    /// Whether the store accepts commits, for readers whose stream of changes has ended.
    ///
    /// - Returns: `false` if it was closed.
    /// - Throws: The reason if it does not accept commits, and was not closed.
    package func isOpen() async throws(PersistencyError) -> Bool {
        do throws(PersistencyError) {
            _ = try await commit(ChangeSet())
            return true
        } catch {
            if case .unavailable(let trouble) = error, trouble.reason == .closed { return false }
            throw error
        }
    }

    /// The commits after the current position.
    public func changes() async -> AsyncStream<ChangeEvent> { await changes(after: nil) }
}
