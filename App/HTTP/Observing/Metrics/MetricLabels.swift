/// A combination of labels as the exposition format writes it: names valid and sorted, each once; values escaped.
struct MetricLabels: Hashable, Sendable {
    /// `method="GET",route="/"`, or nothing.
    let text: String

    init(_ dimensions: [(String, String)]) {
        var byName: [String: String] = [:]
        for (name, value) in dimensions {
            let name = Self.validName(name)
            // The label of a bucket's bound is the format's own.
            byName[name == "le" ? "exported_le" : name, default: value] = value
        }
        text = byName.sorted { $0.key < $1.key }.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    }

    /// With everything that is not a letter, a digit or an underscore replaced by one; never beginning with a digit.
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
