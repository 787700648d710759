internal import ArgumentParser
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// An instant, or a day in UTC, as a person writes it.
struct Instant: Equatable {
    /// When it begins.
    let start: Timestamp
    /// What comes after it; an instant has no length.
    let end: Timestamp

    private static let day: Int64 = 86_400_000_000

    /// - Throws: `ValidationError` that says how to write one.
    init(_ text: String) throws {
        let day = CalendarDay(text).flatMap { Timestamp(rfc3339: "\($0)T00:00:00Z") }
        guard let start = day ?? Timestamp(rfc3339: text) else {
            throw ValidationError("Write a day (2026-03-01) or an instant (2026-03-01T18:30:00Z).")
        }
        self.start = start
        end = day.map { Timestamp(microseconds: $0.microseconds + Self.day) } ?? start
    }
}
