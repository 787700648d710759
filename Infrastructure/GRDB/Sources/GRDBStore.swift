internal import Dispatch
internal import GRDB
public import LarderData
public import LarderDomain
internal import Synchronization

/// Keeps storage objects in a SQLite database through GRDB: in the tables of `SQLiteStore`, with the same names.
///
/// GRDB provides the connections, their queues, and WAL snapshots, statements and their cache, the definitions of
/// tables, and the composition of SQL. The data is correct if other stores or processes write to the file, but the
/// change stream has only the commits of this store, so it is not the sole writer.
public final class GRDBStore: Store {
    /// When a commit is acknowledged.
    public enum Durability: String, Sendable {
        /// After a sync to the device: it survives a loss of power.
        case full
        /// After a write to the operating system: it survives the end of the process, but not always a loss of power.
        case normal
    }

    public let traits = StoreTraits(kind: "grdb", capabilities: [.durable, .sharedReading])
    public let schemas: SchemaSet

    let tables: [StoredTable]
    let pool: DatabasePool
    let hub: ChangeHub
    let outcomes = CommitOutcomes()
    /// The number of commits, which only the writer's queue changes.
    private let sequence = Atomic<Int64>(0)
    private let isClosed = Atomic(false)

    private init(_ path: String, _ schemas: SchemaSet, _ durability: Durability) throws {
        (self.schemas, tables) = (schemas, schemas.roots.map { StoredTable($0) })
        try Opening.refuseForeign(path)
        var configuration = Configuration()
        configuration.label = "store.grdb"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { $0.add(function: Lowering.wordRank) }
        pool = try DatabasePool(path: path, configuration: configuration)
        hub = ChangeHub(buffer: traits.changeBuffer)
        let opening = Opening(tables: tables, durability: durability)
        try pool.writeWithoutTransaction(opening.prepare)
    }

    /// Opens the database in a file, and creates it and missing tables, columns and indexes. The folder must exist.
    ///
    /// - Throws: `incompatible` for a database that GRDBStore has not created, or with another difference from the
    ///   schemas, and leaves it unchanged; `unavailable` if the file cannot be opened or created.
    public static func open(
        path: String, schemas: SchemaSet, durability: Durability = .full
    ) async throws(PersistencyError) -> GRDBStore {
        do {
            return try await onQueue { try GRDBStore(path, schemas, durability) }
        } catch {
            throw PersistencyError(error, isClosed: false)
        }
    }

    public func outcome(of id: CommitID) -> CommitOutcome { outcomes.outcome(of: id) }

    public func changes(after token: ChangeToken?) -> AsyncStream<ChangeEvent> { hub.subscribe(after: token) }

    /// Waits for running reads and commits.
    public func close() async {
        isClosed.store(true, ordering: .releasing)
        hub.close()
        // GRDB refuses to close a connection with a running statement; no access is running after its barrier.
        try? await Self.onQueue { [pool] in try pool.close() }
    }

    /// The table of a root's schema.
    func table(of schema: EntitySchema) throws(PersistencyError) -> StoredTable {
        guard let table = tables.first(where: { $0.schema === schema || $0.schema == schema }) else {
            throw .unknownEntity(schema.name)
        }
        return table
    }

    /// The token of the last commit of this store.
    var lastToken: ChangeToken { hub.token(at: sequence.load(ordering: .acquiring)) }

    /// Publishes a commit, on the writer's queue.
    func publish(_ changes: ChangeSet) -> ChangeToken {
        let token = hub.token(at: sequence.add(1, ordering: .releasing).newValue)
        hub.publish(changes, at: token)
        return token
    }

    func checkOpen() throws(PersistencyError) {
        if isClosed.load(ordering: .acquiring) { throw .closed }
    }

    /// Translates the errors of GRDB.
    func translating<Result>(_ body: () async throws -> Result) async throws(PersistencyError) -> Result {
        try checkOpen()
        do {
            return try await body()
        } catch {
            throw PersistencyError(error, isClosed: isClosed.load(ordering: .acquiring))
        }
    }

    /// Runs blocking work outside the cooperative pool.
    private static func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: .init(catching: body)) }
        }
    }
}
