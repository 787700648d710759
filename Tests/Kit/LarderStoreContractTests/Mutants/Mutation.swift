import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract

/// One thing that a store does wrong, everything else being right.
struct Mutation: Sendable {
    /// What it does wrong, as a sentence about the store.
    let name: String
    /// The laws that are asked about it; some law of each must notice.
    let groups: [LawGroup]
    let change: @Sendable (inout Mutation) -> Void

    /// Commits in place of the store.
    var commit: @Sendable (ChangeSet, MemoryStore) async throws(PersistencyError) -> CommitReceipt = {
        (changes, store) async throws(PersistencyError) in try await store.commit(changes)
    }
    /// Changes what is asked.
    var request: @Sendable (ReadRequest) -> ReadRequest = { $0 }
    /// Judges in place of the condition's own meaning.
    var matches: (@Sendable (Condition, StorageObject) -> Bool)?
    /// Changes an object that was read.
    var object: @Sendable (StorageObject) -> StorageObject = { $0 }
    /// Changes what was found by a query.
    var result: @Sendable (ReadRequest, ReadResult<StorageObject>) -> ReadResult<StorageObject> = { $1 }
    /// Changes what was counted.
    var counts: @Sendable ([Value: Int]) -> [Value: Int] = { $0 }
    /// Changes what was found by ids.
    var found: @Sendable ([RawID], EntitySchema, [StorageObject]) -> [StorageObject] = { $2 }
    /// Answers a query in place of the store.
    var answer: (@Sendable (ReadRequest, MemoryStore) async throws(PersistencyError) -> ReadResult<StorageObject>)?
    /// Counts in place of the store.
    var tally: (@Sendable (CountRequest, MemoryStore) async throws(PersistencyError) -> [Value: Int])?
    /// Reads by ids in place of the store.
    var lookUp: (@Sendable ([RawID], EntitySchema, MemoryStore) async throws(PersistencyError) -> [StorageObject])?
    /// Reads at once.
    var lookUpAtOnce: (@Sendable (RawID) -> [StorageObject])?
    /// Changes what observers hear.
    var changes: @Sendable (AsyncStream<StoreChange>) -> AsyncStream<StoreChange> = { $0 }
    /// Whether a stream after an earlier commit begins with a gap.
    var retainsNothing = true
    /// Changes the outcome of a commit.
    var outcome: @Sendable (CommitOutcome) -> CommitOutcome = { $0 }
    /// Changes what was measured.
    var measurements: @Sendable (StoreMeasurements) -> StoreMeasurements = { $0 }
    /// Changes what the store says it knows.
    var schemas: @Sendable (SchemaSet) -> SchemaSet = { $0 }
    /// What the store says that it can do beside what it can.
    var pretends: Set<Capability> = []
    /// Whether closing does anything.
    var closes = true
    /// Whether schemas that the store was not opened with are taken for empty ones.
    var takesStrangers = false
    /// Whether roots on which the body of a read fails are left out.
    var skipsFailures = false
    /// Whether the root after a page is lent too.
    var lendsOneMore = false
    /// Whether a page ends with the last row that the body reads.
    var endsWithBody = false
    /// Whether the roots of a page are lent in the order of their ids.
    var lendsByID = false
    /// What it does wrong about its disk, if it has one.
    var disk: DiskMutation?

    /// Every mutation there is.
    static let all: [Mutation] = {
        var all = reading + querying + relationships + ordering + writing + pretending
        all += timing + threads + owned + size + stream
        all += semantics + snapshots + disk + large + pages + refused + passing
        all += removals + batches + running
        return all
    }()

    /// Some of the others once more, which each of the runs must notice too.
    private static let running: [Mutation] = {
        let names: Set<String> = [
            "creates over what is there", "judges, lets others in, and writes then", "finds one fewer",
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

    /// The same mutation for another store: what it remembers, it remembers of one.
    func again() -> Mutation { Mutation(groups, name, change) }
}
