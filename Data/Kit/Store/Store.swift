public import LarderDomain

/// Keeps storage objects: the port that every backend implements.
///
/// It knows schemas, never entities. `LarderStoreContract` judges whether a backend does what is documented here;
/// everything else (mapping, change tracking, transactions, delete rules) is built on these requirements, once.
///
/// A store is opened with a ``SchemaSet``. A read or count of a schema that is not a root of this set throws
/// `unknownEntity`. A root is inserted, read and deleted with everything that it owns.
public protocol Store: AnyObject, Sendable {
    /// Which store it is: equal for a store and all its decorators, and for nothing else while the store exists.
    var identity: ObjectIdentifier { get }

    /// What it is and what it can do.
    var traits: StoreTraits { get }

    /// The schemas that it was opened with.
    var schemas: SchemaSet { get }

    /// Lends the roots with these ids, in any order. Ids that name nothing are left out, and an id that is given twice yields
    /// its root once.
    ///
    /// There may be any number of ids, and all roots are of one snapshot, however many there are. Short when the ids are
    /// few and the rows small: then the body may run where the caller runs. The primary copy answers; where a replica may,
    /// ask for a page with a condition on ids.
    ///
    /// - Parameter body: Receives the rows. See ``withRows(_:_:)``.
    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError)

    /// Lends a page of the roots that satisfy a condition.
    ///
    /// ``Condition`` and ``ReadRequest`` say what it contains and in which order. The rows, with all that they own and
    /// link, the total, and whether more follow are of one snapshot, for every limit and every number of roots. The
    /// snapshot satisfies ``ReadRequest/consistency``; a token of another lifetime of the store is refused
    /// (`unsupportedQuery`), because nobody can compare its commits. The same is true of counts.
    ///
    /// - Parameter body: Receives each root of the page, and no other, in the order of the page, in one call or in several
    ///   that follow each other; in none if there are no rows. An error that it throws ends the read and is passed on; the
    ///   body is not called again. It runs where the store scans, so that the mapping of many rows does not keep the
    ///   cooperative pool from other work. Rows that it does not read are passed over.
    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd

    /// How many roots satisfy a condition, for each value, id or length that they are counted by, all from one snapshot.
    ///
    /// The default reads them all and counts.
    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int]

    /// Stores one change set, whole or not at all, whatever its size.
    ///
    /// Readers see all of it or nothing, by ids and by condition. When the call returns, the change set can be read; a store
    /// that is ``Capability/durable`` has written it by then, so that it is there after the process is killed at this
    /// moment, and reads the same after the store is opened again. Nothing is left to write on closing.
    ///
    /// A change set with several faults is refused for the first of them in this order:
    ///
    /// 1. the store is closed (`unavailable`, `closed`), or the task was cancelled before the call (`cancelled`); of both,
    ///    either;
    /// 2. what ``ChangeSet/check(against:)`` refuses, in its order (`tooLarge`, `unknownEntity`, `invalid`);
    /// 3. versions (`conflict`, with `found` `nil` for a root that does not exist): of the reads, then the updates, then the
    ///    deletes, each in the order of the change set;
    /// 4. ids of inserted roots that exist (`duplicate` of `id`), in the order of the inserts;
    /// 5. ids of owned objects that another object has, in any root of the schema (`duplicate` of `id`);
    /// 6. columns that are unique, alone or together (`duplicate` of the columns);
    /// 7. references and links (`dangling`), of roots and of what they own at any depth, that name no root.
    ///
    /// Versions are judged before the change set is applied: updates, deletes and inserts first, then the removals, from
    /// all roots that are left by then. Each root that a removal affects rises by one version, once, whether the change set
    /// updates it too or not; an inserted root is at version 1. Removals are found by an index where the store has one, and
    /// no more than a bounded number of the roots that they affect is held in memory in addition to what the store keeps.
    ///
    /// 5 to 7 judge the state that the change set would leave, not its steps: two roots may swap a unique value, a value or
    /// an owned id that is given up is free, and a reference may name a root of the same change set. A reference to a root
    /// that is deleted dangles, whether its holder is in the change set or not. Of several faults of kind 5, 6 or 7,
    /// which one is named is free. Unique values are equal as ``Value`` says, byte for byte, however long they are; a group
    /// with a `null` in it is not compared. An update without changes raises the version of its root.
    ///
    /// Cancelled before it began, it throws `cancelled` and nothing happened. Cancelled later, it either throws
    /// `cancelled` and nothing happened, or stores all of the change set and returns its receipt.
    ///
    /// After every error but `inDoubt`, the change set is not stored and will not be.
    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt

    /// Whether the change set with an id is stored; see ``CommitOutcome``.
    ///
    /// A store without a journal answers for the commits since it was opened, at least for the last 65,536, and with
    /// `unknown` for all others.
    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome

    /// The commits after a position, in their order, each once it can be read: also one that only deletes, and one of
    /// thousands of roots, as one element. Empty and refused change sets are not among them.
    ///
    /// A store without a journal retains no commits: after another token than that of its last commit the stream begins
    /// with ``StoreChange/gap`` and continues at the present.
    ///
    /// Each observer gets all commits. An observer that falls more than ``StoreTraits/changeBuffer`` commits behind loses
    /// the oldest, and gets a gap in their place. When the store is closed, the stream ends after the buffered commits.
    ///
    /// - Parameter token: `nil` for the present.
    func changes(after token: StoreToken?) async -> AsyncStream<StoreChange>

    /// A capability that only some stores have, such as ``FileBackedStore``, or a decorator by its type; `nil` where
    /// neither the store nor, for a decorator, a store below it has it.
    ///
    /// A decorator that changes what its base stores refuses the features that would bypass the change.
    func feature<Feature>(_ type: Feature.Type) -> Feature?

    /// Ends the store. Later reads, counts and commits throw `unavailable` (`closed`); ``outcome(of:)`` may still answer.
    /// In a durable store, acknowledged commits stay as they are; closing writes none of them.
    func close() async
}

extension Store {
    /// Reads what satisfies the condition, and counts.
    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        let all = ReadRequest(request.schema, where: request.condition, consistency: request.consistency)
        let keys = try await read(all) { object throws(PersistencyError) in request.keys(of: object) }
        return keys.items.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The store itself.
    public var identity: ObjectIdentifier { ObjectIdentifier(self) }

    /// The store itself, if it is of the type.
    public func feature<Feature>(_ type: Feature.Type) -> Feature? { self as? Feature }

    /// The commits from now on.
    public func changes() async -> AsyncStream<StoreChange> { await changes(after: nil) }
}
