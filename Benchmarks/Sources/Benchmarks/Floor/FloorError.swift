/// What SQLite answered instead of what was expected.
struct FloorError: Error {
    let code: Int32
    let message: String
}
