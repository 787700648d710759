/// What an adoption does not express.
struct AdoptionRemark: Equatable {
    let table: String
    let column: String
    let reason: String

    init(_ table: String, _ column: String, _ reason: String) {
        (self.table, self.column, self.reason) = (table, column, reason)
    }

    init(_ table: String, _ reason: String) {
        self.init(table, "", reason)
    }
}
