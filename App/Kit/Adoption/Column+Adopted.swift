internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Column {
    /// The value of the column for the text of a former database.
    func adopted(_ text: String) throws(ValueRefusal) -> Value {
        if let scale {
            let exact = ExactDecimal(text) ?? Decimal(string: text).flatMap { ExactDecimal($0) }
            guard let units = exact?.rescaled(to: scale)?.units else {
                throw ValueRefusal("must be a decimal with at most \(scale) digits after the point, not '\(text)'")
            }
            return .integer(units)
        }
        return switch type {
        case .integer: try known(Int64(text), "an integer of 64 bits", text)
        case .boolean:
            try known(["1": true, "0": false, "true": true, "false": false][text.lowercased()], "a truth value", text)
        case .real: try known(Double(text), "a number", text)
        case .text: try text.columnValue()
        case .day: try known(CalendarDay(text) ?? Self.midnight(text), "a day", text)
        case .timestamp: try known(Self.instant(text), "an instant", text)
        case .blob: try known([UInt8](hexadecimal: text), "bytes", text)
        case .id: try known(RawID(text), "an id", text)
        }
    }

    private func known(_ value: (some ColumnValue)?, _ form: String, _ text: String) throws(ValueRefusal) -> Value {
        guard let value else { throw ValueRefusal("must be \(form), not '\(text)'") }
        return try value.columnValue()
    }

    /// An instant as databases print it: without a zone for UTC, with a zone of two digits, or a day.
    private static func instant(_ text: String) -> Timestamp? {
        if text.utf8.count == 10 { return Timestamp(rfc3339: text + "T00:00:00Z") }
        let time = text.dropFirst(11)
        let full = time.filter { $0 == ":" }.count == 1 && time.utf8.count == 5 ? text + ":00" : text
        if let sign = time.lastIndex(where: { "+-".contains($0) }) {
            return Timestamp(rfc3339: time[sign...].utf8.count == 3 ? text + ":00" : text)
        }
        return Timestamp(rfc3339: full.hasSuffix("Z") ? full : full + "Z")
    }

    private static func midnight(_ text: String) -> CalendarDay? {
        let time = text.dropFirst(10)
        return [" 00:00:00", "T00:00:00"].contains(time) ? CalendarDay(String(text.prefix(10))) : nil
    }
}

extension [UInt8] {
    fileprivate init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
