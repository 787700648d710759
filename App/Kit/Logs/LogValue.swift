internal import Logging

/// A value of a log line.
enum LogValue: Sendable, Equatable {
    case text(String)
    /// A number or a Boolean, as JSON.
    case literal(String)
    case list([LogValue])

    /// A dictionary is not a value but contributes members; see ``Logging/Logger/Metadata/flattened(reserved:)``.
    init(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .stringConvertible(let value): self = LogValue(convertible: value)
        case .array(let values): self = .list(values.map(LogValue.init))
        case .dictionary: self = .text(value.description)
        }
    }

    private init(convertible value: any CustomStringConvertible) {
        switch value {
        // The most frequent types before those that are slow to test.
        case let number as Int: self = .literal(number.description)
        case let number as Double where number.isFinite: self = .literal(number.description)
        case let number as any FixedWidthInteger: self = .literal(number.description)
        case let isTrue as Bool: self = .literal(isTrue ? "true" : "false")
        default: self = .text(value.description)
        }
    }
}

extension Logger.Metadata {
    /// The values sorted by name. Members of a nested dictionary are named `outer.inner`; names of the line's own
    /// members get the prefix `metadata.`. Of two values with the same name, the less nested one wins.
    func flattened(reserved: [String]) -> [(name: String, value: LogValue)] {
        func isPlain(_ key: String, _ value: Logger.MetadataValue) -> Bool {
            if case .dictionary = value { false } else { !reserved.contains(key) }
        }
        // The fast path for nearly all metadata.
        if allSatisfy(isPlain) { return map { ($0, LogValue($1)) }.sorted { $0.0 < $1.0 } }
        var found: [String: LogValue] = [:]
        func take(_ metadata: Logger.Metadata, _ prefix: String) {
            let sorted = metadata.sorted { $0.key < $1.key }
            for (key, value) in sorted {
                if case .dictionary = value { continue }
                let name = reserved.contains(prefix + key) ? "metadata." + prefix + key : prefix + key
                if found[name] == nil { found[name] = LogValue(value) }
            }
            for (key, value) in sorted {
                if case .dictionary(let inner) = value { take(inner, prefix + key + ".") }
            }
        }
        take(self, "")
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
