public import LarderData
public import LarderDomain

extension EntityMapper {
    /// The members of an example that the mapper exchanges, loses or changes, as sentences; empty if it keeps all.
    ///
    /// The example is converted to its stored form and back. Each member needs a value, in lists as well, and members of
    /// one type need different values; else an exchange would not be seen, and a sentence names them. Booleans and enums
    /// have too few values: call this for several examples.
    ///
    /// ```swift
    /// #expect(try BikeMapper.unkeptMembers(of: bike) == [])
    /// ```
    public static func unkeptMembers(of example: Model) throws(PersistencyError) -> [String] {
        let read = try MappedObject<Self>(storageObject(from: example)).toSafeObject()
        let (before, after) = (MemberTexts(of: example), MemberTexts(of: read))
        return before.unfitForExchange + before.differences(to: after)
    }
}

/// The texts of all members of a value, by their paths: `parts[0].length`.
private struct MemberTexts {
    private struct Member {
        let path: String
        let type: String
        let text: String
        /// Whether the type has so few values that members may share one.
        let hasFewValues: Bool
    }

    private var members: [Member] = []

    init(of value: Any) {
        add(value, at: "")
    }

    private mutating func add(_ value: Any, at path: String) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional where mirror.children.isEmpty: add(value, at: path, text: "nil")
        case .optional: for child in mirror.children { add(child.value, at: path) }
        case .collection where !(value is any ColumnValue):
            if mirror.children.isEmpty { add(value, at: path, text: "[]") }
            for (index, child) in mirror.children.enumerated() { add(child.value, at: "\(path)[\(index)]") }
        case .struct where !(value is any ColumnValue || value is any DecimalValue) && !mirror.children.isEmpty:
            for child in mirror.children {
                add(child.value, at: (path.isEmpty ? "" : path + ".") + (child.label ?? ""))
            }
        default:
            let hasFewValues = value is Bool || mirror.displayStyle == .enum
            // A read decimal has the scale of its column.
            let number = (value as? ExactDecimal).flatMap { decimal in
                (0...ExactDecimal.maximumScale).lazy.compactMap { decimal.rescaled(to: $0) }.first
            }
            add(value, at: path, text: number.map { "\($0)" } ?? String(reflecting: value), hasFewValues: hasFewValues)
        }
    }

    private mutating func add(_ value: Any, at path: String, text: String, hasFewValues: Bool = false) {
        members.append(Member(path: path, type: "\(type(of: value))", text: text, hasFewValues: hasFewValues))
    }

    private func text(at path: String) -> String? { members.first { $0.path == path }?.text }

    /// Members without a value, and members with the value of another one.
    var unfitForExchange: [String] {
        var sentences: [String] = []
        var paths: [String: String] = [:]
        for member in members {
            if member.text == "nil" || member.text == "[]" {
                sentences.append("\(member.path) has no value: give it one")
            } else if !member.hasFewValues,
                let other = paths.updateValue(member.path, forKey: member.type + member.text)
            {
                sentences.append("\(other) and \(member.path) have the same value: give them different ones")
            }
        }
        return sentences
    }

    func differences(to other: MemberTexts) -> [String] {
        var sentences: [String] = []
        var exchanged: Set<String> = []
        for member in members where other.text(at: member.path) != member.text && !exchanged.contains(member.path) {
            let found = other.text(at: member.path)
            let partner = members.first { $0.text == found && other.text(at: $0.path) == member.text }
            if let partner {
                exchanged.insert(partner.path)
                sentences.append("\(member.path) and \(partner.path) are exchanged")
            } else if let found, found != "nil", found != "[]" {
                sentences.append("\(member.path) is \(found), not \(member.text)")
            } else {
                sentences.append("\(member.path) is lost")
            }
        }
        let added = other.members.filter { text(at: $0.path) == nil && !$0.path.isEmpty }
        return sentences + added.filter { $0.text != "[]" }.map { "\($0.path) is added" }
    }
}
