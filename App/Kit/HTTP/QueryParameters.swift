public import Hummingbird

/// The query of a request. Each parameter is taken once; what nobody took is refused by name.
public struct QueryParameters {
    private var values: [String: String] = [:]

    /// Reads a query.
    ///
    /// - Throws: `Problem` with 400 for one that is not percent-encoded UTF-8, or has a parameter twice.
    public init(_ request: Request) throws(Problem) {
        guard let query = request.uri.query else { return }
        for part in query.split(separator: "&", omittingEmptySubsequences: true) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(halves[0]), let value = Self.decoded(halves.count > 1 ? halves[1] : "") else {
                throw .badRequest("The query is not percent-encoded UTF-8: '\(part)'.")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .badRequest("The query parameter '\(name)' is there twice.")
            }
        }
    }

    /// Takes a parameter as it is.
    public mutating func text(_ name: String) -> String? {
        values.removeValue(forKey: name)
    }

    /// Takes a parameter that says yes or no.
    public mutating func flag(_ name: String) throws(Problem) -> Bool {
        switch text(name) {
        case nil, "false"?: false
        case "true"?: true
        default: throw .badRequest("The query parameter '\(name)' must be true or false.")
        }
    }

    /// Takes a parameter that is a number in a range.
    public mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        try parsed(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
            return range.contains(number) ? number : nil
        }
    }

    /// Takes a parameter that must have some form.
    ///
    /// - Parameter form: The form in words: "a recipe's id".
    public mutating func parsed<Value>(
        _ name: String, _ form: String, _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = parse(text) else { throw .badRequest("The query parameter '\(name)' must be \(form).") }
        return value
    }

    /// Refuses what was not taken.
    public func finish() throws(Problem) {
        guard let name = values.keys.min() else { return }
        throw .badRequest("There is no query parameter '\(name)' here.")
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexadecimalDigit, let low = rest.popFirst()?.hexadecimalDigit else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
