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

    /// Converts a date to the nearest microsecond; dates beyond Int64 are clamped.
    public init(_ date: Date) {
        let clamped = Timestamp(microseconds: date.timeIntervalSinceReferenceDate < 0 ? .min : .max)
        self = Timestamp(nearest: date) ?? clamped
    }

    /// Converts a date to the nearest microsecond; `nil` beyond Int64.
    package init?(nearest date: Date) {
        // The parts of the date's own number: a multiplication of all of it would round.
        let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
        let rest = ((date.timeIntervalSinceReferenceDate - whole) * 1_000_000).rounded()
        guard let seconds = Int64(exactly: whole) else { return nil }
        let product = seconds.multipliedReportingOverflow(by: 1_000_000)
        let sum = product.partialValue.addingReportingOverflow(Int64(rest) + Self.referenceDate)
        guard !product.overflow, !sum.overflow else { return nil }
        self.init(microseconds: sum.partialValue)
    }

    /// 2001-01-01T00:00:00Z, in microseconds since 1970.
    private static let referenceDate: Int64 = 978_307_200_000_000

    /// The current time of the system clock.
    public static func now() -> Timestamp { Timestamp(Date()) }

    /// The nearest date, whose conversion is this instant between the years 1730 and 2270.
    public var date: Date {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Date(
            timeIntervalSinceReferenceDate: Double(seconds - Self.referenceDate / 1_000_000) + Double(rest) / 1_000_000)
    }
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
