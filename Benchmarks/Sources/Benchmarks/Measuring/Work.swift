/// Work that every side does on the same rows.
struct Work: Sendable {
    let name: String
    /// The limit of the ratio to the C API; `nil` if there is none.
    var target: Double? = nil
    /// The number of operations in one pass.
    let operations: Int
    /// Runs one pass on one side. Passes with the same number do the same work on every side.
    let pass: @Sendable (any Side, _ number: Int) async throws -> Timed

    func plan(on sides: [any Side]) -> Comparison.Plan {
        Comparison.Plan(
            work: name, target: target, operations: operations,
            sides: sides.map { side in .init(name: side.name) { try await pass(side, $0) } })
    }
}

/// The duration of a pass and its result, which must be equal on all sides.
struct Timed: Sendable {
    let duration: Duration
    var sum: Sum

    /// Measures work that returns its sum.
    static func measure(_ work: () async throws -> Sum) async throws -> Timed {
        var sum = Sum()
        let duration = try await duration { sum = try await work() }
        return Timed(duration: duration, sum: sum)
    }

    /// Measures work, and counts its instructions if a tool does so.
    static func duration(_ work: () async throws -> Void) async rethrows -> Duration {
        InstructionCount.begin()
        defer { InstructionCount.end() }
        return try await ContinuousClock().measure { try await work() }
    }

    static func duration(_ work: () throws -> Void) rethrows -> Duration {
        InstructionCount.begin()
        defer { InstructionCount.end() }
        return try ContinuousClock().measure(work)
    }

    /// Measures work that returns a number, so that its result is used.
    static func measure(_ work: () async throws -> Int) async throws -> Timed {
        try await measure { Sum(count: 1, checksum: try await work()) }
    }
}

/// The number of objects in a result, and a checksum over all their values.
struct Sum: Sendable, Equatable {
    var count = 0
    var checksum = 0

    static func + (lhs: Sum, rhs: Sum) -> Sum {
        Sum(count: lhs.count + rhs.count, checksum: lhs.checksum &+ rhs.checksum)
    }

    static func += (lhs: inout Sum, rhs: Sum) { lhs = lhs + rhs }
}

extension Sequence {
    /// Adds the sums of all elements.
    func sum(_ sum: (Element) throws -> Sum) rethrows -> Sum { try reduce(into: Sum()) { $0 += try sum($1) } }
}
