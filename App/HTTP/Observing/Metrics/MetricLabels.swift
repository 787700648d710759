/// A set of labels in the exposition format: valid and unique names, sorted; escaped values.
struct MetricLabels: Hashable, Sendable {
    /// `method="GET",route="/"`, or empty.
    let text: String

    init(_ dimensions: [(String, String)]) {
        var byName: [String: String] = [:]
        for (name, value) in dimensions {
            let name = Self.validName(name)
            // The format reserves this label for the bound of a bucket.
            byName[name == "le" ? "exported_le" : name, default: value] = value
        }
        text = byName.sorted { $0.key < $1.key }.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    }

    /// The name with underscores for all characters except letters, digits and underscores; never starts with a digit.
    static func validName(_ name: String, colonsAllowed: Bool = false) -> String {
        var valid = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": valid.append(scalar)
            case ":" where colonsAllowed: valid.append(scalar)
            case "0"..."9":
                if valid.isEmpty { valid.append("_") }
                valid.append(scalar)
            default: valid.append("_")
            }
        }
        return valid.isEmpty ? "_" : String(valid)
    }

    private static func escaped(_ value: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\"": escaped.append(contentsOf: "\\\"".unicodeScalars)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
