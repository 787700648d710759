public import LarderDomain

/// Keeps storage objects: the port behind which every backend stands.
///
/// It knows schemas, never entities. What a new backend must keep is written down as laws in `LarderStoreContract`;
/// everything else (mapping, change tracking, transactions, delete rules) is built on these requirements, once.
///
/// A store is opened with a ``SchemaSet`` and answers for its schemas only. Roots come and go with all that they own.
public protocol Store: AnyObject, Sendable {
    /// What it is and what it can do.
    var traits: StoreTraits { get }

    /// The schemas that it was opened with.
    var schemas: SchemaSet { get }

    /// The root with this id, or `nil`; short where its rows are small, and then it may run where the caller runs.
    func read(_ id: RawID, of schema: EntitySchema) async throws(PersistencyError) -> StorageObject?

    /// The roots with these ids, from one snapshot, in any order; ids that name nothing are left out.
    ///
    /// Short when the ids are few and the rows small: then it may run where the caller runs.
    func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject]

    /// A page of the roots that satisfy a condition, with the total from the same snapshot where asked for.
    ///
    /// - Parameter transform: Turns each root of the page into what the reader wants. It runs where the store scans, so
    ///   that mapping many rows does not keep the cooperative pool from other work.
    func read<Item: Sendable>(
        _ request: ReadRequest, transform: @escaping @Sendable (StorageObject) throws(PersistencyError) -> Item
    ) async throws(PersistencyError) -> ReadResult<Item>

    /// How many roots satisfy a condition, by the value of a column or by each id in a list of links.
    ///
    /// The default reads them all and counts.
    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int]

    /// Stores one change set, whole or not at all.
    ///
    /// Judged in this order: the versions of what was read, updated and deleted (`conflict`), ids that are inserted and
    /// there, of roots and of what others own (`duplicate` of `id`), then the state that it would leave: unique columns
    /// (`duplicate`), and references (`dangling`) that were written and name nothing, or name something deleted. Only
    /// roots that the change set writes are judged, so two entities may swap a unique value.
    ///
    /// Refused before that is what ``ChangeSet/check(against:)`` refuses: more than a store takes at once, and what the
    /// schemas do not declare.
    ///
    /// Cancelled before it began, it throws `cancelled` and nothing happened; later cancellation has no effect.
    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt

    /// The commits from now on, in their order, each once it can be read.
    ///
    /// A reader that falls more than ``StoreTraits/changeBuffer`` commits behind loses the oldest; the gap shows in the
    /// sequence numbers. The stream ends when the store is closed.
    func changes() async -> AsyncStream<CommittedChanges>

    /// What it did so far, for those that test it; `nil` where it does not count.
    func measurements() async -> StoreMeasurements?

    /// Ends the store: what was acknowledged stays; everything afterwards throws `unavailable` (`closed`).
    func close() async
}

extension Store {
    /// Reads what satisfies the condition, and counts.
    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        let all = ReadRequest(request.schema, where: request.condition)
        let keys = try await read(all) { object throws(PersistencyError) in request.keys(of: object) }
        return keys.items.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// `nil`: it does not count.
    public func measurements() async -> StoreMeasurements? { nil }

    /// Reads many and takes the one.
    public func read(_ id: RawID, of schema: EntitySchema) async throws(PersistencyError) -> StorageObject? {
        try await read([id], of: schema).first
    }

    /// Reads a page of storage objects.
    public func read(_ request: ReadRequest) async throws(PersistencyError) -> ReadResult<StorageObject> {
        try await read(request) { object throws(PersistencyError) in object }
    }
}
