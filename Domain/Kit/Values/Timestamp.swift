#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An instant in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// `Date` is a floating-point number of seconds and loses microseconds far from its epoch; an integer compares equal
/// after a round trip through any store.
public struct Timestamp: Hashable, Sendable {
    /// Microseconds since 1970; negative for earlier instants.
    public let microseconds: Int64

    /// Creates an instant from microseconds since 1970.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Converts a date, rounding down to the microsecond; dates beyond Int64 are clamped.
    public init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1_000_000).rounded(.down)
        self.init(microseconds: Int64(exactly: exact) ?? (exact < 0 ? .min : .max))
    }

    /// The current time of the system clock.
    public static func now() -> Timestamp { Timestamp(Date()) }

    /// The nearest date.
    public var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}

extension Timestamp: Comparable {
    /// Earlier is less.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.microseconds < rhs.microseconds }
}

extension Timestamp: Codable {
    /// Decodes the microseconds.
    public init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the microseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}
