/// An ISO 8601 duration in the form of schema.org: `PT1H30M`, `P1DT2H`, `PT90S`, also with zeros (`P0Y0M0DT0H35M0S`)
/// and with days among the hours (`PT0D1H`). Months and years have no fixed length and are rejected, unless they are zero.
struct ISODuration: Equatable {
    let seconds: Int

    /// Parses a duration; `nil` for any other text. Parts may have a fraction; the result is truncated to seconds.
    init?(_ text: String) {
        // Other characters are compared in their normal form, which takes quadratic time to compute.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var rest = Substring(text.uppercased())
        guard rest.popFirst() == "P", let last = rest.last, last != "T" else { return nil }
        var total = 0.0
        var units = Self.dateUnits
        while let next = rest.first {
            if next == "T", units == Self.dateUnits {
                units = Self.timeUnits
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            rest = rest.dropFirst(digits.count)
            guard let number = Double(digits.map { $0 == "," ? "." : String($0) }.joined()), let unit = rest.popFirst(),
                let length = units[unit], length.isFinite || number == 0
            else { return nil }
            if number > 0 { total += number * length }
        }
        guard let seconds = Int(exactly: total.rounded(.down)) else { return nil }
        self.seconds = seconds
    }

    private static let dateUnits: [Character: Double] = ["Y": .infinity, "M": .infinity, "W": 604_800, "D": 86_400]
    private static let timeUnits: [Character: Double] = ["D": 86_400, "H": 3_600, "M": 60, "S": 1]
}
