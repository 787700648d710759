private import Synchronization

/// The id of one commit, chosen before the commit begins: after an error that is in doubt, it identifies the commit whose
/// outcome is asked for.
///
/// Ids of one process have 64 random bits in common and a number; making one costs an atomic addition.
public struct CommitID: Hashable, Sendable {
    /// The bits.
    public let rawValue: RawID

    private static let process = UInt64.random(in: .min ... .max)
    private static let last = Atomic<UInt64>(0)

    /// An id that no other commit has.
    public init() {
        rawValue = RawID(
            high: Self.process, low: Self.last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// An id that was made elsewhere.
    public init(_ rawValue: RawID) {
        self.rawValue = rawValue
    }
}

extension CommitID: CustomStringConvertible {
    /// The form of RFC 9562, in lower case.
    public var description: String { rawValue.description }
}
