@testable import LarderInfrastructureTests

/// One edit of a change set. An edit is valid in any position, so that other edits can be removed.
enum ProofEdit: Sendable, Hashable {
    /// Inserts an item, or replaces its text: a letter, repeated.
    case put(Int, Character, Int)
    /// Deletes an item, if it exists.
    case drop(Int)
    /// Expects a version that no item has, so the change set must be refused.
    case stale(Int)

    var id: Int {
        switch self {
        case .put(let id, _, _), .drop(let id), .stale(let id): id
        }
    }
}

/// One step of a workload.
enum ProofStep: Sendable, Hashable {
    /// Change sets that are committed as a group.
    case commit([[ProofEdit]])
    case compact
    /// Closes and reopens the log.
    case reopen
    /// Reopens the log without closing it, as after `kill -9`.
    case kill
    /// Closes the log and reopens it with more declarations.
    case grow
    /// Limits the free space to this number of bytes, or removes the limit.
    case room(Int?)
    /// From now on, compacts the log when it is due, as the store does after each group.
    case auto
}

/// A sequence of operations on a store. Its text can be parsed, so that a failure can be repeated.
struct Workload: Sendable, Hashable {
    var steps: [ProofStep]

    init(_ steps: [ProofStep]) {
        self.steps = steps
    }
}

extension Workload: LosslessStringConvertible {
    var description: String { steps.map(\.description).joined(separator: " ") }

    /// Parses the format of ``description``: steps separated by spaces; in a group, change sets separated by `;` and
    /// edits by `,`: `1=a` or `1=a*500` puts, `-1` deletes, `!1` is stale.
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
