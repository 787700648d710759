internal import LarderDomain

/// One thing that a client did, with what it learnt and when.
struct HistoryEvent: Sendable {
    /// What a key held: a value that nobody writes twice, and its version where that was told; or nothing.
    enum Content: Sendable, Hashable {
        case absent
        case present(version: Int64?, value: Int)
    }

    /// A write that was acknowledged.
    enum Write: Sendable, Hashable {
        case put(version: Int64, value: Int)
        case deleted
    }

    let client: Int
    /// What it did, for people.
    let what: String
    /// Moments on the history's clock, which ticks whenever somebody looks at it.
    let begin: Int
    let end: Int
    /// What the client saw, all of it at one moment between begin and end.
    var seen: [Int: Content] = [:]
    /// What it wrote, at that same moment.
    var written: [Int: Write] = [:]
    /// Versions that the client was told of without their values, at that moment.
    var versions: [Int: Int64] = [:]
    /// A key of which the client was told only that it is there.
    var taken: Int?
    /// Why this event is wrong by itself.
    var fault: String?
}

extension HistoryEvent: CustomStringConvertible {
    var description: String {
        let learnt = seen.sorted { $0.key < $1.key }.map { key, content in
            switch content {
            case .absent: "\(key) absent"
            case .present(let version, let value): "\(key)@\(version.map(String.init) ?? "?") = \(value)"
            }
        }
        let told = versions.sorted { $0.key < $1.key }.map { "\($0.key)@\($0.value)" }
        let wrote = written.sorted { $0.key < $1.key }.map { key, write in
            switch write {
            case .deleted: "\(key) deleted"
            case .put(let version, let value): "\(key)@\(version) := \(value)"
            }
        }
        return "[\(begin)-\(end)] client \(client) \(what): \((learnt + told + wrote).joined(separator: ", "))"
    }
}
