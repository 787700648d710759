/// One edit of a change set. Any edit means something wherever it stands, so that others can be left out.
enum ProofEdit: Sendable, Hashable {
    /// Inserts an item, or gives it another text: so many times a letter.
    case put(Int, Character, Int)
    /// Deletes an item, if it is there.
    case drop(Int)
    /// Expects a version that no item has: the change set must be refused.
    case stale(Int)

    var id: Int {
        switch self {
        case .put(let id, _, _), .drop(let id), .stale(let id): id
        }
    }
}

/// One step of a workload.
enum ProofStep: Sendable, Hashable {
    /// Change sets that wait together.
    case commit([[ProofEdit]])
    case compact
    /// Closes and opens.
    case reopen
    /// Opens without having closed, as after `kill -9`.
    case kill
    /// Closes and opens with more declared than before.
    case grow
    /// Leaves room for so many bytes more, or any number.
    case room(Int?)
    /// From now on compacts when it is due, as the store does after each group.
    case auto
}

/// What a store is asked to do. Its text can be read again, so that a failure can be repeated.
struct Workload: Sendable, Hashable {
    var steps: [ProofStep]

    init(_ steps: [ProofStep]) {
        self.steps = steps
    }
}

extension Workload: LosslessStringConvertible {
    var description: String { steps.map(\.description).joined(separator: " ") }

    /// Reads what ``description`` writes: steps with spaces between them; in a group, change sets with `;` and edits with
    /// `,` between them: `1=a` or `1=a*500` puts, `-1` deletes, `!1` is stale.
    init?(_ description: String) {
        let steps = description.split(separator: " ").map { ProofStep($0) }
        guard !steps.contains(nil) else { return nil }
        self.steps = steps.compactMap { $0 }
    }
}

extension ProofStep: CustomStringConvertible {
    var description: String {
        switch self {
        case .commit(let group):
            group.map { $0.map(\.description).joined(separator: ",") }.joined(separator: ";")
        case .compact: "compact"
        case .reopen: "reopen"
        case .kill: "kill"
        case .grow: "grow"
        case .room(nil): "room"
        case .room(let bytes?): "room:\(bytes)"
        case .auto: "auto"
        }
    }

    fileprivate init?(_ word: Substring) {
        switch word {
        case "compact": self = .compact
        case "reopen": self = .reopen
        case "kill": self = .kill
        case "grow": self = .grow
        case "room": self = .room(nil)
        case "auto": self = .auto
        default:
            if word.hasPrefix("room:") {
                guard let bytes = Int(word.dropFirst(5)) else { return nil }
                self = .room(bytes)
                return
            }
            let group = word.split(separator: ";").map { $0.split(separator: ",").map { ProofEdit($0) } }
            guard !group.joined().contains(nil) else { return nil }
            self = .commit(group.map { $0.compactMap { $0 } })
        }
    }
}

extension ProofEdit: CustomStringConvertible {
    var description: String {
        switch self {
        case .put(let id, let letter, let length): "\(id)=\(letter)" + (length == 1 ? "" : "*\(length)")
        case .drop(let id): "-\(id)"
        case .stale(let id): "!\(id)"
        }
    }

    fileprivate init?(_ word: Substring) {
        if word.hasPrefix("-") || word.hasPrefix("!") {
            guard let id = Int(word.dropFirst()) else { return nil }
            self = word.hasPrefix("-") ? .drop(id) : .stale(id)
            return
        }
        let parts = word.split(separator: "=")
        guard parts.count == 2, let id = Int(parts[0]), let letter = parts[1].first else { return nil }
        let length = parts[1].dropFirst()
        guard length.isEmpty || length.first == "*" else { return nil }
        guard let count = length.isEmpty ? 1 : Int(length.dropFirst()), count >= 0 else { return nil }
        self = .put(id, letter, count)
    }
}
