extension AdoptedType {
    /// A default in the notation of `make entity`; `nil` for an expression.
    ///
    /// - Parameter expression: As the database writes it: `'en'`, `(0)`, `'open'::text`, `CURRENT_TIMESTAMP`.
    func initial(_ expression: String) -> String? {
        var text = expression
        while text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
        if let match = text.wholeMatch(of: /'((?:[^']|'')*)'(?:::.*)?/) {
            text = String(match.1).replacing("''", with: "'")
        } else if text.wholeMatch(of: /(?i)-?[0-9.]+|true|false/) == nil {
            return nil
        }
        switch name {
        case "Bool":
            return ["1": "true", "0": "false", "t": "true", "f": "false"][text.lowercased()] ?? text.lowercased()
        case .some(let name) where name.hasPrefix("Decimal"):
            // A whole number without its zeros.
            return text.wholeMatch(of: /(\d+)\.0+/).map { String($0.1) } ?? text
        default: return text
        }
    }
}
