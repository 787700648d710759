internal import LarderDomain

/// One operation of a client, with its answer and times.
struct HistoryEvent: Sendable, Codable {
    /// The content of a key: a value that is written only once, with its version if known; or nothing.
    enum Content: Sendable, Hashable, Codable {
        case absent
        case present(version: Int64?, value: Int)
    }

    /// An acknowledged write.
    enum Write: Sendable, Hashable, Codable {
        case put(version: Int64, value: Int)
        case deleted
    }

    let client: Int
    /// A readable description of the operation.
    let what: String
    /// Moments of the history's clock, which advances at every reading.
    let begin: Int
    let end: Int
    /// The client's observations, all at one moment between begin and end.
    var seen: [Int: Content] = [:]
    /// The writes, at that same moment.
    var written: [Int: Write] = [:]
    /// Versions that the client learned without their values, at that moment.
    var versions: [Int: Int64] = [:]
    /// A key that the client knows to exist, without its version.
    var taken: Int?
    /// A violation that this event shows by itself.
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
