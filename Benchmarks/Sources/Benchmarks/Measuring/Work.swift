/// The same work done twice: on SQLite's C API, and through repository, manager, mapper and store.
struct Work: Sendable {
    typealias Pass = @Sendable (_ number: Int) async throws -> Timed

    let name: String
    /// The ratio that is aimed at; `nil` where a figure is shown for comparison.
    var target: Double? = nil
    /// How many operations one pass has.
    let operations: Int
    let floor: Pass
    let kit: Pass
}

/// How long one pass took, and a sum over what it read or wrote, which must be the same on both sides.
struct Timed: Sendable {
    let duration: Duration
    let checksum: Int

    /// Measures work that yields its checksum.
    static func measure(_ work: () async throws -> Int) async throws -> Timed {
        let clock = ContinuousClock()
        let began = clock.now
        let checksum = try await work()
        return Timed(duration: clock.now - began, checksum: checksum)
    }
}
