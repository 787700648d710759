import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

/// The reads of a store that lend rows.
enum ReadKind {
    case page, ids, atOnce
}

/// A single defect of an otherwise correct store.
struct Mutation: Sendable {
    /// The defect, as a sentence about the store.
    let name: String
    /// The groups of laws that must detect it: at least one law of each.
    let groups: [LawGroup]
    let change: @Sendable (inout Mutation) -> Void

    /// Replaces commits.
    var commit: @Sendable (ChangeSet, MemoryStore) async throws(PersistencyError) -> CommitReceipt = {
        (changes, store) async throws(PersistencyError) in try await store.commit(changes)
    }
    /// Changes the requests.
    var request: @Sendable (ReadRequest) -> ReadRequest = { $0 }
    /// Replaces the evaluation of conditions.
    var matches: (@Sendable (Condition, StorageObject) -> Bool)?
    /// Changes an object that was read.
    var object: @Sendable (StorageObject) -> StorageObject = { $0 }
    /// Changes the results of a query.
    var result: @Sendable (ReadRequest, ReadResult<StorageObject>) -> ReadResult<StorageObject> = { $1 }
    /// Changes counts.
    var counts: @Sendable ([Value: Int]) -> [Value: Int] = { $0 }
    /// Replaces aggregates.
    var figures: (@Sendable (AggregateRequest, MemoryStore) async throws(PersistencyError) -> AggregateTable)?
    /// Changes the results of a read by ids.
    var found: @Sendable ([RawID], EntitySchema, [StorageObject]) -> [StorageObject] = { $2 }
    /// Replaces queries.
    var answer: (@Sendable (ReadRequest, MemoryStore) async throws(PersistencyError) -> ReadResult<StorageObject>)?
    /// Replaces counts.
    var tally: (@Sendable (CountRequest, MemoryStore) async throws(PersistencyError) -> [Value: Int])?
    /// Replaces reads by ids.
    var lookUp: (@Sendable ([RawID], EntitySchema, MemoryStore) async throws(PersistencyError) -> [StorageObject])?
    /// Replaces synchronous reads by id.
    var lookUpAtOnce: (@Sendable (RawID) -> [StorageObject])?
    /// Changes how the body of a read is called.
    var lending: (@Sendable (ReadKind, RowVisitor, inout Rows) throws(PersistencyError) -> Void)?
    /// Changes notifications.
    var changes: @Sendable (AsyncStream<ChangeEvent>) -> AsyncStream<ChangeEvent> = { $0 }
    /// Changes the token after which a stream starts.
    var token: @Sendable (ChangeToken?) -> ChangeToken? = { $0 }
    /// Changes the outcome of a commit.
    var outcome: @Sendable (CommitOutcome) -> CommitOutcome = { $0 }
    /// Changes the outcome of the commit with an id.
    var outcomeOf: @Sendable (CommitID, CommitOutcome) -> CommitOutcome = { $1 }
    /// Changes measurements.
    var measurements: @Sendable (StoreMeasurements) -> StoreMeasurements = { $0 }
    /// Changes the declared schemas.
    var schemas: @Sendable (SchemaSet) -> SchemaSet = { $0 }
    /// Additional capabilities that the store claims.
    var pretends: Set<Capability> = []
    /// Whether closing has an effect.
    var closes = true
    /// Replaces closing.
    var closing: @Sendable (MemoryStore) async -> Void = { $0.close() }
    /// Whether undeclared schemas are treated as empty.
    var takesStrangers = false
    /// Whether roots for which the body of a read throws are skipped.
    var skipsFailures = false
    /// Whether the root after a page is also passed to the body.
    var lendsOneMore = false
    /// Whether a page ends with the last row that the body decodes.
    var endsWithBody = false
    /// Whether the roots of a page are passed in the order of their ids.
    var lendsByID = false
    /// Whether all stores have one identity.
    var sharesIdentity = false
    /// The defect in the use of its disk, if it has one.
    var disk: DiskMutation?

    /// All mutations.
    static let all: [Mutation] = {
        var all = reading + querying + relationships + ordering + writing + pretending
        all += timing + threads + owned + size + stream
        all += semantics + snapshots + disk + large + pages + refused + passing
        all += removals + batches + search + journal + limits + running
        all += lists + arrivals + bodies + sums + midway + values + aggregates + related + bulk
        all += groups + models + parts
        return all
    }()

    /// A selection of the others, which each of the runs must also detect.
    private static let running: [Mutation] = {
        let names: Set<String> = [
            "creates over an existing root", "judges, lets others in, and writes then", "finds one fewer",
        ]
        let others: [Mutation] = writing + timing + querying
        return others.filter { names.contains($0.name) }.map { other in
            Mutation([.runs], other.name + ", for the runs", other.change)
        }
    }()

    init(_ group: LawGroup, _ name: String, _ change: @escaping @Sendable (inout Mutation) -> Void = { _ in }) {
        self.init([group], name, change)
    }

    init(_ groups: [LawGroup], _ name: String, _ change: @escaping @Sendable (inout Mutation) -> Void) {
        self.groups = groups
        self.name = name
        self.change = change
        change(&self)
    }

    /// The same mutation for another store, with separate state.
    func again() -> Mutation { Mutation(groups, name, change) }
}
