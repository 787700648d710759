import CCallgrind
import Synchronization

/// The number of instructions of one work on one side, counted by callgrind. `Benchmarks/count-instructions` runs it
/// for each.
enum InstructionCount {
    static let argument = "count"

    private static let isOn = Atomic(false)

    static func begin() { if isOn.load(ordering: .relaxed) { callgrind_start() } }
    static func end() { if isOn.load(ordering: .relaxed) { callgrind_stop() } }

    /// Runs the pass of a work twice on one side. Only the second is counted, when statements are prepared and caches
    /// are filled. Prints the number of operations.
    ///
    /// - Parameter arguments: The names of the work and the side.
    static func run(_ plans: [Comparison.Plan], _ arguments: ArraySlice<String>) async throws {
        guard let plan = plans.first(where: { $0.work == arguments.first }),
            let side = plan.sides.first(where: { $0.name == arguments.last })
        else {
            for plan in plans { print(plan.work) }
            return
        }
        for number in 0...1 {
            isOn.store(number == 1, ordering: .relaxed)
            _ = try await side.pass(number)
        }
        print("operations", plan.operations)
    }
}
