private import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Timestamp {
    /// The bytes of a text with nine decimals and a numeric offset.
    private static var longestRFC3339: Int { 35 }

    /// Reads an instant in the form of RFC 3339, to the microsecond; `nil` for any other text and for a day that does not
    /// exist.
    public init?(rfc3339 text: String) {
        // `\d` also matches digits of other scripts.
        guard text.utf8.count <= Self.longestRFC3339, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let form: Regex<(Substring, Substring, Substring, Substring?, Substring)> =
            #/(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)/#
        guard let match = text.wholeMatch(of: form), CalendarDay(String(match.output.1)) != nil else { return nil }
        let whole: String = match.output.1 + "T" + match.output.2 + match.output.4.uppercased()
        guard let date = try? Date(whole, strategy: Date.ISO8601FormatStyle()) else { return nil }
        let digits = String((String(match.output.3 ?? "") + "000000").prefix(6))
        self.init(microseconds: Int64(date.timeIntervalSince1970) * 1_000_000 + (Int64(digits) ?? 0))
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC, without trailing zeros of the fraction: `2026-11-20T18:30:00.25Z`.
    ///
    /// Foundation's calendar is Julian before 15 October 1582, so descriptions of earlier instants are some days off.
    public var description: String {
        let (second, fraction) = secondAndFraction
        guard fraction != 0 else { return Self.text(ofSecond: second) + "Z" }
        var digits = String(fraction + 1_000_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return Self.text(ofSecond: second) + "." + digits + "Z"
    }

    /// The same with six digits of the fraction, so that the texts of a log have one length and sort.
    package var fixedWidthDescription: String {
        let (second, fraction) = secondAndFraction
        let start = Self.lastSecond.withLock { last in
            if last.second != second { last = (second, Self.text(ofSecond: second)) }
            return last.text
        }
        return start + "." + String(fraction + 1_000_000).dropFirst() + "Z"
    }

    /// Most log lines of a busy service are written in the same second as the line before.
    private static let lastSecond = Mutex((second: Int64.min, text: Substring()))

    private var secondAndFraction: (Int64, Int64) {
        let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return fraction < 0 ? (seconds - 1, fraction + 1_000_000) : (seconds, fraction)
    }

    private static func text(ofSecond second: Int64) -> Substring {
        Date(timeIntervalSince1970: Double(second)).formatted(.iso8601).dropLast()
    }
}
