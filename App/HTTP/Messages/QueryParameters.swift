public import Hummingbird
internal import LarderDomain

/// The query of a request. Each parameter is taken once; parameters that remain are refused by name.
public struct QueryParameters {
    /// The parameters in their order.
    private let all: [(name: String, value: String)]
    private var values: [String: String] = [:]

    /// Parses a query.
    ///
    /// - Throws: `Problem` with 400 if the query is not percent-encoded UTF-8, repeats a parameter, or exceeds the
    ///   maximum number of successive combining marks in a text.
    public init(_ request: Request) throws(Problem) {
        var all: [(name: String, value: String)] = []
        for part in (request.uri.query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = halves[0].percentDecoded(plusIsBlank: true),
                let value = halves.count > 1 ? halves[1].percentDecoded(plusIsBlank: true) : ""
            else {
                throw .badRequest("The query is not percent-encoded UTF-8: '\(Substring(part))'.")
            }
            guard !name.hasLongCombiningRun else {
                throw .badRequest("The name of a query parameter \(TextRefusal.tooManyCombiningMarks).")
            }
            guard !value.hasLongCombiningRun else {
                throw .badRequest("The query parameter '\(name)' \(TextRefusal.tooManyCombiningMarks).")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .badRequest("The query parameter '\(name)' is repeated.")
            }
            all.append((name, value))
        }
        self.all = all
    }

    /// Takes a parameter as text.
    public mutating func text(_ name: String) -> String? {
        values.removeValue(forKey: name)
    }

    /// Takes a parameter with a maximum number of characters; see `String.composed(atMost:)`.
    public mutating func text(_ name: String, atMost limit: Int) throws(Problem) -> String? {
        guard let text = text(name) else { return nil }
        do {
            return try text.composed(atMost: limit)
        } catch {
            throw .badRequest("The query parameter '\(name)' \(error).")
        }
    }

    /// Takes a Boolean parameter.
    public mutating func flag(_ name: String) throws(Problem) -> Bool {
        switch text(name) {
        case nil, "false"?: false
        case "true"?: true
        default: throw .badRequest("The query parameter '\(name)' must be true or false.")
        }
    }

    /// Takes an integer parameter in a range.
    public mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        try parsed(name, "an integer from \(range.lowerBound) to \(range.upperBound)") { text in
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
            return range.contains(number) ? number : nil
        }
    }

    /// Takes a parameter that must have a certain form.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - form: The form in words: "a recipe's id".
    ///   - parse: Converts the text; `nil` if it does not have the form.
    public mutating func parsed<Value>(
        _ name: String, _ form: String, _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = parse(text) else { throw .badRequest("The query parameter '\(name)' must be \(form).") }
        return value
    }

    /// Refuses parameters that were not taken.
    public func finish() throws(Problem) {
        guard let name = values.keys.min() else { return }
        throw .badRequest("Unknown query parameter '\(name)'.")
    }

    /// The query with one parameter set to another value and without others, percent-encoded, with each parameter once.
    public func query(setting name: String, to value: String, without others: [String] = []) -> String {
        (all.filter { $0.name != name && !others.contains($0.name) } + [(name, value)]).map { name, value in
            "\(Self.encoded(name))=\(Self.encoded(value))"
        }.joined(separator: "&")
    }

    /// Encodes all characters except the unreserved ones of RFC 3986, and commas, which separate ids in lists.
    private static func encoded(_ text: String) -> String {
        text.utf8.percentEncoded { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~,".utf8.contains(byte)
            }
        }
    }
}
