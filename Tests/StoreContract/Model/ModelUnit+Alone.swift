extension ModelUnit {
    /// Whether the changes cannot be stored.
    var isRefused: Bool { !obstacles.isEmpty }

    /// Performs one operation as a separate commit. Returns the allowed answers.
    mutating func answersAlone(_ operation: Operation) -> [Answer] {
        let answers = if case .sweep(let sweep) = operation { update(sweep) } else { perform(operation) }
        let obstacles = obstacles
        guard obstacles.isEmpty else { return obstacles.map { .failed($0) } }
        let after = after
        // The answers contain the versions after the commit.
        return answers.map { answer in
            switch answer {
            case .stored(let kept): .stored(after[kept.item.key] ?? kept)
            case .saved(let outcome, let kept): .saved(outcome, after[kept.item.key] ?? kept)
            default: answer
            }
        }
    }
}
