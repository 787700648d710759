public import LarderDomain

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

extension Timestamp {
    /// The bytes of a text with nine decimals and a numeric offset.
    private static var longestRFC3339: Int { 35 }

    /// Reads an instant in the form of RFC 3339, to the microsecond; `nil` for any other text and for a day that does not
    /// exist.
    public init?(rfc3339 text: String) {
        guard text.utf8.count <= Self.longestRFC3339 else { return nil }
        let form: Regex<(Substring, Substring, Substring, Substring?, Substring)> =
            #/(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)/#
        guard let match = text.wholeMatch(of: form), CalendarDay(String(match.output.1)) != nil else { return nil }
        let whole: String = match.output.1 + "T" + match.output.2 + match.output.4.uppercased()
        guard let date = try? Date(whole, strategy: Date.ISO8601FormatStyle()) else { return nil }
        let digits = String((String(match.output.3 ?? "") + "000000").prefix(6))
        self.init(microseconds: Int64(date.timeIntervalSince1970) * 1_000_000 + (Int64(digits) ?? 0))
    }
}
