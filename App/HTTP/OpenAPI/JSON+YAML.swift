internal import LarderApp

extension JSON {
    /// The value as YAML 1.2 in block style, with the members of objects in their order.
    func yaml() -> String { yaml(indented: "") }

    private func yaml(indented indent: String) -> String {
        switch self {
        case .object(let members) where !members.isEmpty:
            members.map { member in
                let name = JSON.string(member.name).yamlScalar
                let value = member.value.yaml(indented: indent + "  ")
                return "\(indent)\(name):\(member.value.isYAMLBlock ? "\n" : " ")\(value)"
            }.joined()
        case .array(let elements) where !elements.isEmpty:
            elements.map { element in
                let value = element.yaml(indented: indent + "  ")
                return "\(indent)- \(element.isYAMLBlock ? String(value.dropFirst(indent.count + 2)) : value)"
            }.joined()
        default: yamlScalar + "\n"
        }
    }

    /// Whether the value needs separate lines.
    private var isYAMLBlock: Bool {
        switch self {
        case .object(let members): !members.isEmpty
        case .array(let elements): !elements.isEmpty
        default: false
        }
    }

    /// The value on one line: a text without quotes if it cannot be read as another type, otherwise as in JSON.
    private var yamlScalar: String {
        if case .string(let text) = self, Self.isPlainYAML(text) { return text }
        return String(decoding: bytes(), as: UTF8.self)
    }

    private static func isPlainYAML(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return false }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
        let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        return (isLetter || first == UInt8(ascii: "/") || first == UInt8(ascii: "$"))
            && !text.contains(": ") && !text.contains(" #") && !text.hasSuffix(":") && !text.hasSuffix(" ")
            && !words.contains(text.lowercased())
    }
}
