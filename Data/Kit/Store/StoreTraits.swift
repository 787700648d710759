/// The kind and the capabilities of a store. Each law of the contract names the capabilities that it requires.
public struct StoreTraits: Sendable {
    /// The name of the implementation for users, such as `sqlite`.
    public let kind: String
    /// The optional capabilities.
    public let capabilities: Set<Capability>
    /// The number of commits that a reader of changes may be behind before they are read from the journal, or lost.
    public let changeBuffer: Int

    /// Describes a store; by default, its readers may be 1,024 commits behind.
    public init(kind: String, capabilities: Set<Capability>, changeBuffer: Int = 1024) {
        self.kind = kind
        self.capabilities = capabilities
        self.changeBuffer = changeBuffer
    }
}

/// A capability that only some stores have.
public enum Capability: String, Sendable, Hashable, CaseIterable {
    /// Acknowledged commits survive the death of the process.
    case durable
    /// Only this store, with its decorators, writes the data while it is open. Caches over a store without this
    /// capability are empty, and its change streams have the commits of other writers only with a ``journal``.
    case soleWriter
    /// The store retains the names of its last commits, see ``Store/changes(after:)``.
    case journal
    /// Other processes can read the data while the store is open.
    case sharedReading
    /// The store evaluates ``Condition/related(_:_:)``. A decorator that changes conditions or schemas does not have it.
    case semiJoins
    /// The store applies ``ChangeSet/bulk``.
    case bulkUpdates
    /// A page ends after ``ReadRequest/byteLimit``.
    case boundedPages
    /// ``StoreMeasurements/rowsWritten`` is counted.
    case countsWrites
    /// ``StoreMeasurements/bytesWritten`` is counted.
    case countsBytes
    /// ``StoreMeasurements/statements`` is counted.
    case countsStatements
    /// ``StoreMeasurements/longWork`` is counted.
    case tellsThreads
}
