internal import LarderDomain

/// A transaction of a run, with all that the model says about it.
struct ModelTransaction: Sendable {
    struct Step: Sendable {
        let operation: Operation
        /// What may be answered.
        let answers: [Answer]
        /// Whether the body goes on when it fails.
        let isSwallowed: Bool
    }

    /// What the body does; nothing follows a step that ends it.
    let steps: [Step]
    /// How it may end.
    let ends: [Answer]
    /// What is stored if it ends well.
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
                // Found at once if the unit has met it before, else at the end.
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

    /// Runs it; what the steps were answered, and how it ended.
    func perform(by manager: any PersistencyManager) async -> (answers: [Answer], end: Answer) {
        var answers: [Answer] = []
        do {
            try await manager.transaction { manager in
                // The body may run again.
                answers = []
                for step in steps {
                    let answer = await step.operation.perform(by: manager)
                    answers.append(answer)
                    // A creation that failed at once must not be swallowed: it fails at the end anyway where it was not seen.
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
