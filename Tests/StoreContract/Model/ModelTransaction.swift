internal import LarderDomain

/// A transaction of a run, with the model's expected answers.
struct ModelTransaction: Sendable {
    struct Step: Sendable {
        let operation: Operation
        /// The allowed answers.
        let answers: [Answer]
        /// Whether the body continues after a failure.
        let isSwallowed: Bool
    }

    /// The steps of the body; a step that ends it is the last.
    let steps: [Step]
    /// The allowed results of the transaction.
    let ends: [Answer]
    /// The stored items after a successful end.
    let after: [ItemKey: KeptItem]
    private let changesItsMind: Bool

    init(_ frames: [Frame], on stored: [ItemKey: KeptItem], changesItsMind: Bool) {
        var unit = ModelUnit(stored)
        var steps: [Step] = []
        var failures: [Answer] = []
        for frame in frames where failures.isEmpty && unit.clash == nil {
            let operation = frame.operation(in: unit)
            var answers = unit.perform(operation)
            if case .failed? = answers.first, !frame.isSwallowed { failures = answers }
            if let clash = unit.clash {
                // Reported at once if the unit has seen the object before, else at the end.
                answers.append(.failed(.duplicate(clash)))
            }
            steps.append(Step(operation: operation, answers: answers, isSwallowed: frame.isSwallowed))
        }
        self.steps = steps
        self.changesItsMind = changesItsMind
        after = unit.after
        if !failures.isEmpty {
            ends = failures
        } else if changesItsMind {
            ends = [.failed(.regret)] + (unit.clash.map { [.failed(.duplicate($0))] } ?? [])
        } else {
            let obstacles = unit.obstacles
            ends = obstacles.isEmpty ? [.done] : obstacles.map { .failed($0) }
        }
    }

    /// Runs the transaction. Returns the answers of its steps and its result.
    func perform(by manager: any PersistencyManager) async -> (answers: [Answer], end: Answer) {
        var answers: [Answer] = []
        do {
            try await manager.transaction { manager in
                // The body may run again.
                answers = []
                for step in steps {
                    let answer = await step.operation.perform(by: manager)
                    answers.append(answer)
                    // An immediate failure of a creation must not be swallowed: the transaction fails at its end even
                    // if this failure is ignored.
                    if case .failed(let failure) = answer, !step.isSwallowed || isClash(failure) { throw failure }
                }
                if changesItsMind { throw ChangeOfMind() }
            }
            return (answers, .done)
        } catch let failure as Answer.Failure {
            return (answers, .failed(failure))
        } catch {
            return (answers, .failed(.init(error)))
        }
    }

    private func isClash(_ failure: Answer.Failure) -> Bool {
        if case .duplicate(let duplicate) = failure { duplicate.columns == ["id"] } else { false }
    }
}
