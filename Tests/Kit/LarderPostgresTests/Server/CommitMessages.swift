#if Postgres
/// Numbers the messages of a client that belong to commits, so that its connection can fall silent between any two of them.
struct CommitMessages {
    /// A part of a commit whose messages are numbered.
    enum Part: String, CaseIterable, Sendable {
        /// All messages of a transaction of two round trips.
        case transaction
        /// Those of its second round trip: the row of the journal, and `COMMIT`.
        case end
        /// A pipeline of updates.
        case updates
    }

    /// The parts that start with the binding of a statement, by the start of its text.
    private static let starts: KeyValuePairs = [
        "BEGIN ISOLATION LEVEL REPEATABLE READ\0": Part.transaction, "INSERT INTO larder_journal (commit_id": .end,
        "WITH updated AS": .updates,
    ]

    private var parts: [[UInt8]: Part] = [:]
    /// The number of the next message of each part that has started.
    private(set) var numbers: [Part: Int] = [:]

    /// Notes a message before it is forwarded.
    mutating func note(_ message: [UInt8]) {
        let texts = message.dropFirst(5).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        switch message[0] {
        case UInt8(ascii: "P") where texts.count > 1:
            let text = texts[1] + [0]
            parts[Array(texts[0])] = Self.starts.first { text.starts(with: $0.key.utf8) }?.value
        case UInt8(ascii: "B") where texts.count > 1:
            if let part = parts[Array(texts[1])], numbers[part] == nil { numbers[part] = 0 }
        case UInt8(ascii: "Q"): numbers = [:]
        default: break
        }
    }

    /// Counts a message that was forwarded. Returns the lengths of parts that have ended.
    mutating func countForwarded(_ message: [UInt8]) -> [Part: Int] {
        for part in numbers.keys { numbers[part, default: 0] += 1 }
        guard message[0] == UInt8(ascii: "S") else { return [:] }
        let isFirst = numbers[.transaction] != nil && numbers[.end] == nil
        defer { numbers = isFirst ? numbers.filter { $0.key == .transaction } : [:] }
        return isFirst ? numbers.filter { $0.key == .updates } : numbers
    }
}
#endif
