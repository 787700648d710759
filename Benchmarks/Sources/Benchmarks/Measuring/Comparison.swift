/// The times of one work on all sides, in alternation.
struct Comparison: Sendable {
    /// A work with the sides that do it, the floor first.
    struct Plan: Sendable {
        let work: String
        /// The limit of the second side's ratio; `nil` if there is none.
        let target: Double?
        /// The number of operations in one pass.
        let operations: Int
        let sides: [Runner]
    }

    /// A side, and its pass. Passes with the same number do the same work on every side.
    struct Runner: Sendable {
        let name: String
        let pass: @Sendable (_ number: Int) async throws -> Timed
    }

    let plan: Plan
    /// Microseconds for each operation, by side and pass.
    private let times: [[Double]]

    struct Different: Error {
        let work: String
        let side: String
        let expected: Sum
        let found: Sum
    }

    /// Runs one unmeasured pass of each side and then the measured ones. The order of the sides differs in each pass, so
    /// that no side always follows the same one.
    ///
    /// - Throws: `Different` where the result of a side differs from that of the floor.
    static func run(_ plan: Plan, passes: Int) async throws -> Comparison {
        let sides = plan.sides
        var times = sides.map { _ in [Double]() }
        for number in 0...passes {
            var sums = sides.map { _ in Sum() }
            for place in sides.indices {
                let index = (place + number) % sides.count
                let timed = try await sides[index].pass(number)
                sums[index] = timed.sum
                guard number > 0 else { continue }
                times[index].append(timed.duration.microseconds / Double(plan.operations))
            }
            for (side, sum) in zip(sides, sums) where sum != sums[0] || sum.count == 0 {
                throw Different(work: plan.work, side: side.name, expected: sums[0], found: sum)
            }
        }
        return Comparison(plan: plan, times: times)
    }

    /// Microseconds of an operation on the C API.
    var floor: Spread { Spread(times[0]) }

    /// The ratio of a side to the floor, with both times from the same pass.
    func ratio(_ side: Int) -> Spread { Spread(zip(times[side], times[0]).map { $0 / $1 }) }
}

/// The median of several figures, with the least and the greatest.
struct Spread: Sendable {
    let median: Double
    let least: Double
    let greatest: Double

    init(_ figures: [Double]) {
        let sorted = figures.sorted()
        median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        least = sorted.first ?? 0
        greatest = sorted.last ?? 0
    }

    /// Whether the median meets a target; "spread" if the target is within the spread, so that another run may give a
    /// different result.
    func verdict(_ target: Double?) -> String {
        guard let target else { return "" }
        return (median > target ? "missed" : "met") + (least < target && target < greatest ? ", spread" : "")
    }
}

extension Duration {
    var microseconds: Double { Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12 }
}
