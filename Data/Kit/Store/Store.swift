public import LarderDomain

/// The port that every backend implements: storage of objects with schemas.
///
/// A store knows schemas, not entities. `LarderStoreContract` checks that a backend behaves as documented here.
/// Mapping, change tracking, transactions, and delete rules are built once, on these requirements.
///
/// A store is opened with a ``SchemaSet``. A read or count of a schema that is not a root of this set throws
/// `unknownEntity`. A root is inserted, read and deleted with everything that it owns.
public protocol Store: AnyObject, Sendable {
    /// The identity of the store: equal for a store and all its decorators, and unique while the store exists.
    var identity: ObjectIdentifier { get }

    /// The store's kind and capabilities.
    var traits: StoreTraits { get }

    /// The schemas with which the store was opened.
    var schemas: SchemaSet { get }

    /// Lends the roots with these ids, in any order. Unknown ids are ignored, and a repeated id yields its root once.
    ///
    /// The number of ids is unlimited, and all roots are from one snapshot. With few ids and small rows, the call is
    /// short, and the body may run on the caller's thread. The primary copy answers; to allow a replica, request a page
    /// with a condition on ids.
    ///
    /// - Parameters:
    ///   - ids: The ids.
    ///   - schema: The schema of the roots.
    ///   - body: Receives the rows. See ``withRows(_:_:)``.
    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError)

    /// Lends the root with this id, or no row if it does not exist, before the call returns.
    ///
    /// It is a faster ``withRows(_:of:_:)`` for one id, which the caller calls if the store declines, because it would
    /// block. A decorator does not forward the call by default, because this would bypass its `withRows`: both it and
    /// other stores always decline.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - schema: The schema of the root.
    ///   - body: Called at most once, and not at all if the store declines.
    func lendAtOnce(_ id: RawID, of schema: EntitySchema, to body: RowVisitor) throws(PersistencyError) -> LendAnswer

    /// Lends a page of the roots that satisfy a condition.
    ///
    /// ``Condition`` and ``ReadRequest`` define the content and the order. The rows, with everything that they own and
    /// link, the total, and the end of the page are from one snapshot, for every limit and number of roots. The
    /// snapshot satisfies ``ReadRequest/consistency``; a token of another lifetime of the store is refused
    /// (`unsupportedQuery`), because its commits are not comparable. The same applies to counts.
    ///
    /// - Parameters:
    ///   - request: The condition, the order, and the bounds of the page.
    ///   - body: Receives each root of the page, and no other, in the order of the page, in any number of consecutive
    ///     calls; in none if there are no rows. An error that it throws ends the read without another call, and is
    ///     rethrown. It runs where the store scans, so that mapping many rows does not block the cooperative pool. Rows
    ///     that it does not read are skipped.
    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd

    /// The number of roots that satisfy a condition, for each value, id or length of the request's key, in one
    /// snapshot.
    ///
    /// The default reads and counts all of them.
    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int]

    /// Stores one change set atomically, regardless of its size.
    ///
    /// Reads by id and by condition see either all of it or nothing. When the call returns, the change set can be read.
    /// A ``Capability/durable`` store has written it by then: it survives a kill of the process at this moment, and
    /// reads the same after the store is opened again. Closing writes nothing.
    ///
    /// A change set with several faults is refused for the first fault in this order:
    ///
    /// 1. a closed store (`unavailable`, `closed`) or a call in a cancelled task (`cancelled`): with both, either;
    /// 2. a fault that ``ChangeSet/check(against:isSealing:)`` finds, in its order (`tooLarge`, `unknownEntity`,
    ///    `invalid`);
    /// 3. versions (`conflict`, with `found` `nil` for a root that does not exist): of the reads, then the updates,
    ///    then the deletes, each in the order of the change set;
    /// 4. existing ids of inserted roots (`duplicate` of `id`), in the order of the inserts;
    /// 5. ids of owned objects that another object of the schema has, in any root (`duplicate` of `id`);
    /// 6. values of unique columns or groups of columns (`duplicate` of the columns);
    /// 7. references and links to missing roots (`dangling`), from roots and from their owned objects at any depth.
    ///
    /// Versions are checked before the change set is applied: updates, deletes and inserts first, then the removals,
    /// from all remaining roots. Each root that a removal affects rises by one version, once, even if the change set
    /// also updates it; an inserted root has version 1, unless the change set ``ChangeSet/keepsVersions``. Removals use an index if the store has one, and only a bounded
    /// number of the affected roots is in memory in addition to the store's data.
    ///
    /// Checks 5 to 7 apply to the final state of the change set, not to its steps: two roots may swap a unique value, a
    /// value or owned id that is given up is free, and a reference may name a root of the same change set. A reference
    /// to a deleted root dangles, even if its holder is not in the change set. Of several faults of kind 5, 6 or 7, the
    /// store may report any. Unique values are compared as ``Value`` defines, byte for byte, at any length; a group
    /// that contains `null` is not compared. An update without changes raises the version of its root.
    ///
    /// A commit that is cancelled before the call throws `cancelled` without effect. A commit that is cancelled later
    /// throws `cancelled` without effect, or stores the whole change set and returns its receipt.
    ///
    /// After any error except `inDoubt`, the change set is not stored, and will not be.
    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt

    /// Whether the change set with this id is stored; see `CommitOutcome`.
    ///
    /// A store knows at least the last 65,536 commits since it was opened. With a ``Capability/journal``, it also knows
    /// the retained commits of its lifetime, and that a commit made meanwhile is `absent`. Others are `unknown`.
    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome

    /// The commits after a position, in order, each once it can be read. A commit is one element, including one that
    /// only deletes and one of thousands of roots. Empty and refused change sets are not published.
    ///
    /// With a ``Capability/journal``, a stream starts after any token of the store's lifetime, also one from before it
    /// was opened or from another process. Each commit is delivered exactly once, in commit order. Commits that the
    /// journal does not retain are replaced by `ChangeEvent.gap(_:)`, as is a change of the schemas that is not
    /// additive. A store without a journal retains no commits: the stream starts with a gap after any token except that
    /// of its last commit.
    ///
    /// Each observer has a buffer of ``StoreTraits/changeBuffer`` commits. If it is further behind, its next commits are
    /// read from the journal, or it receives a gap. It delays neither commits nor other observers. When the store is
    /// closed, the stream ends, at the latest after the buffered commits.
    ///
    /// - Parameter token: The position; `nil` for the last commit. A token of another lifetime starts with a gap.
    func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent>

    /// An optional capability, such as ``FileBackedStore``, or a decorator by its type; `nil` if neither the store nor,
    /// for a decorator, a store below it has it.
    ///
    /// A decorator that transforms the data of its base refuses features that would bypass the transformation.
    func feature<Feature>(_ type: Feature.Type) -> Feature?

    /// Closes the store. Later reads, counts and commits throw `unavailable` (`closed`); ``outcome(of:)`` may still
    /// answer. A durable store has written the acknowledged commits already; closing writes none of them.
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
    /// Reads all roots that satisfy the condition, and counts them.
    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        let all = ReadRequest(request.schema, where: request.condition, consistency: request.consistency)
        let keys = try await read(all) { object throws(PersistencyError) in request.keys(of: object) }
        return keys.items.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
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
