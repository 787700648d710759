/// Why a row is not copied.
struct RefusedRow: Error {
    let column: String
    let reason: String

    init(_ column: String, _ reason: String) {
        (self.column, self.reason) = (column, reason)
    }
}
