internal import ArgumentParser
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An instant, or a day in UTC, as a person writes it.
struct Instant: Equatable {
    /// When it begins.
    let start: Timestamp
    /// What comes after it; an instant has no length.
    let end: Timestamp

    private static let day: Int64 = 86_400_000_000

    /// - Throws: `ValidationError` that says how to write one.
    init(_ text: String) throws {
        let day = CalendarDay(text).flatMap { Self.timestamp("\($0)T00:00:00Z") }
        guard let start = day ?? Self.timestamp(text) else {
            throw ValidationError("Write a day (2026-03-01) or an instant (2026-03-01T18:30:00Z).")
        }
        self.start = start
        end = day.map { Timestamp(microseconds: $0.microseconds + Self.day) } ?? start
    }

    /// Reads RFC 3339, to the microsecond.
    private static func timestamp(_ text: String) -> Timestamp? {
        let form: Regex<(Substring, Substring, Substring, Substring?, Substring)> =
            #/(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)/#
        guard let match = text.wholeMatch(of: form), CalendarDay(String(match.output.1)) != nil else { return nil }
        let whole: String = match.output.1 + "T" + match.output.2 + match.output.4.uppercased()
        guard let date = try? Date(whole, strategy: Date.ISO8601FormatStyle()) else { return nil }
        let digits = String((String(match.output.3 ?? "") + "000000").prefix(6))
        return Timestamp(microseconds: Int64(date.timeIntervalSince1970) * 1_000_000 + (Int64(digits) ?? 0))
    }
}
