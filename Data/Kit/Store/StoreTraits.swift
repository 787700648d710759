/// What a store is and what it can do; a law of the contract names what it needs of it.
public struct StoreTraits: Sendable {
    /// The implementation, as a person calls it: `sqlite`.
    public let kind: String
    /// What it can do.
    public let capabilities: Set<Capability>
    /// How many commits a reader of changes may fall behind before it loses the oldest.
    public let changeBuffer: Int

    public init(kind: String, capabilities: Set<Capability>, changeBuffer: Int = 1024) {
        self.kind = kind
        self.capabilities = capabilities
        self.changeBuffer = changeBuffer
    }
}

/// Something that some stores can do and others cannot.
public enum Capability: String, Sendable, Hashable, CaseIterable {
    /// What was acknowledged is there after the process died.
    case durable
    /// Nobody but this store, with its decorators, writes the data while it is open. Caches and change streams of a
    /// store without it miss the changes of others.
    case soleWriter
    /// Other processes can read it meanwhile.
    case sharedReading
    /// It counts by groups itself, without reading every root.
    case grouping
    /// ``StoreMeasurements/rowsWritten`` is counted.
    case countsWrites
    /// ``StoreMeasurements/bytesWritten`` is counted.
    case countsBytes
    /// ``StoreMeasurements/statements`` is counted.
    case countsStatements
    /// ``StoreMeasurements/longWork`` is counted.
    case tellsThreads
}
