/// The values that an update by query may give a column.
@usableFromInline
struct ValidValues: Sendable {
    /// The least and the greatest valid value; `nil` if all are valid.
    var range: (least: Value, greatest: Value)?
    /// The range for messages, as values of the property.
    var text = ""

    func contain(_ value: Value) -> Bool {
        guard let range, value != .null else { return true }
        return !Value.precedes(value, range.least) && !Value.precedes(range.greatest, value)
    }
}
