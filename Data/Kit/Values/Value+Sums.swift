internal import LarderDomain

extension Value {
    /// The sum; the value itself if there is none, which ``BulkChange/refusing`` excludes.
    func adding(_ amount: Int64) -> Value {
        switch self {
        case .integer(let integer): .integer(integer &+ amount)
        case .text: day?.adding(days: Int(amount)).map { .text($0.description) } ?? self
        default: self
        }
    }

    /// The least and the greatest value to which an amount may be added, so that the sum is between two integers or days;
    /// `nil` if there is none.
    static func summands(_ amount: Int64, of least: Value, _ greatest: Value) -> (Value, Value)? {
        func bounds<V>(_ least: V, _ greatest: V, in all: (V, V), minus: (V) -> V?) -> (V, V)? {
            guard let first = minus(least) ?? (amount > 0 ? all.0 : nil),
                let last = minus(greatest) ?? (amount > 0 ? nil : all.1)
            else { return nil }
            return (first, last)
        }
        switch (least, greatest) {
        case (.integer(let least), .integer(let greatest)):
            let found = bounds(least, greatest, in: (.min, .max)) {
                let (difference, overflow) = $0.subtractingReportingOverflow(amount)
                return overflow ? nil : difference
            }
            return found.map { (.integer($0), .integer($1)) }
        case (.text, .text):
            return bounds(least, greatest, in: (.firstDay, .lastDay)) { value in
                amount == .min ? nil : value.day?.adding(days: Int(-amount)).map { .text($0.description) }
            }
        default: return nil
        }
    }

    static var firstDay: Value { .text("0001-01-01") }
    static var lastDay: Value { .text("9999-12-31") }
    private var day: CalendarDay? { if case .text(let text) = self { CalendarDay(text) } else { nil } }
}
