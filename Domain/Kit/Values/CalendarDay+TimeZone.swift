#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CalendarDay {
    /// The day of an instant in a time zone; `nil` outside the calendar.
    ///
    /// `TimeZone(secondsFromGMT: 3600)` is a zone by its offset, and `TimeZone(identifier: "Europe/Paris")` by its name,
    /// with the rules of the system's database. In a program that links only FoundationEssentials, the latter is `nil`.
    public init?(_ instant: Timestamp, in zone: TimeZone) {
        let second = instant.microseconds.floored(by: 1_000_000)
        let day = zone.localSecond(at: second).floored(by: Self.secondsPerDay)
        self.init(number: Int(day) + Self.daysTo1970)
    }

    /// The first instant of the day in a time zone: midnight, the first one of two, or the end of a gap in which it does
    /// not exist.
    ///
    /// - Complexity: 20 lookups in the zone.
    public func start(in zone: TimeZone) -> Timestamp { instant(ofSecond: 0, in: zone) }

    /// The first instant of the day at which the clocks of a time zone show a time, or the end of a gap in which they do not.
    ///
    /// - Parameter second: The time, in seconds since midnight.
    /// - Complexity: 20 lookups in the zone.
    package func instant(ofSecond second: Int64, in zone: TimeZone) -> Timestamp {
        let time = Int64(number - Self.daysTo1970) * Self.secondsPerDay + second
        // The offset from UTC is less than a day.
        var (before, start) = (time - Self.secondsPerDay, time + Self.secondsPerDay)
        while start - before > 1 {
            let middle = before + (start - before) / 2
            if zone.localSecond(at: middle) < time { before = middle } else { start = middle }
        }
        // A clock that goes back over the time shows it twice, first by the offset that it had before.
        let earlier = start - Self.secondsPerDay / 2
        let first = time - (zone.localSecond(at: earlier) - earlier)
        if first < start, zone.localSecond(at: first) == time { start = first }
        return Timestamp(microseconds: start * 1_000_000)
    }

    /// The days from 0001-01-01 to 1970-01-01.
    private static let daysTo1970 = 719_162
    private static let secondsPerDay: Int64 = 86_400
}

extension TimeZone {
    /// The local time in seconds, of an instant in seconds since 1970.
    fileprivate func localSecond(at second: Int64) -> Int64 {
        second + Int64(secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
    }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
