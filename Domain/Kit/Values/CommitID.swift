private import Synchronization

/// The id of one commit, chosen before the commit starts, to query the commit's outcome after an `inDoubt` error.
///
/// A UUID of version 7 (RFC 9562, section 5.7): the time in milliseconds, 34 random bits of the process, and a counter.
/// A journal compares the time with that of its oldest commit.
public struct CommitID: Hashable, Sendable {
    /// The bits.
    public let rawValue: RawID

    private static let process = UInt64.random(in: 0..<1 << 34)
    private static let last = Atomic<UInt64>(0)

    /// Generates a unique id.
    public init() {
        let milliseconds = UInt64(max(0, Timestamp.now().microseconds / 1000)) & 0xFFFF_FFFF_FFFF
        let count = Self.last.wrappingAdd(1, ordering: .relaxed).newValue & 0xFF_FFFF_FFFF
        rawValue = RawID(
            high: milliseconds << 16 | 0x7000 | Self.process & 0xFFF,
            low: 0b10 << 62 | (Self.process >> 12) << 40 | count)
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
