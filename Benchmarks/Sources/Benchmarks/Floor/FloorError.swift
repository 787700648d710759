/// An unexpected result of SQLite.
struct FloorError: Error {
    let code: Int32
    let message: String
}
