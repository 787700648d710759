extension ModelUnit {
    /// Whether what was done cannot be stored.
    var isRefused: Bool { !obstacles.isEmpty }

    /// Does one operation that is a commit of its own, and says what may be answered.
    mutating func answersAlone(_ operation: Operation) -> [Answer] {
        let answers = perform(operation)
        let obstacles = obstacles
        guard obstacles.isEmpty else { return obstacles.map { .failed($0) } }
        let after = after
        // What is answered has the version that it got.
        return answers.map { answer in
            switch answer {
            case .stored(let kept): .stored(after[kept.item.key] ?? kept)
            case .saved(let outcome, let kept): .saved(outcome, after[kept.item.key] ?? kept)
            default: answer
            }
        }
    }
}
