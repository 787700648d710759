private import Synchronization

/// The id of one commit, chosen before the commit starts, to query the commit's outcome after an `inDoubt` error.
///
/// Consists of 64 random bits per process and a counter; generating one costs an atomic addition.
public struct CommitID: Hashable, Sendable {
    /// The bits.
    public let rawValue: RawID

    private static let process = UInt64.random(in: .min ... .max)
    private static let last = Atomic<UInt64>(0)

    /// Generates a unique id.
    public init() {
        rawValue = RawID(
            high: Self.process, low: Self.last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Wraps an existing id.
    public init(_ rawValue: RawID) {
        self.rawValue = rawValue
    }
}

extension CommitID: CustomStringConvertible {
    /// The RFC 9562 form, in lower case.
    public var description: String { rawValue.description }
}
