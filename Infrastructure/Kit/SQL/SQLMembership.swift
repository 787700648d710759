internal import LarderData
internal import LarderDomain

extension SQLBuilder {
    /// More values than this go as one, if their kind can: texts of statements stay few, and so do bound values.
    private static var listed: Int { 64 }

    /// Whether an operand is one of some values. Values of another kind are in no row.
    mutating func membership(
        _ operand: Operand, _ values: [Value], in scope: SQLScope, exactly: Bool
    ) throws(PersistencyError) -> String {
        if values.isEmpty { return "FALSE" }
        let operand = try self.operand(operand, in: scope)
        let fitting = values.filter { $0 != .null && (operand.kind == nil || SQLKind($0) == operand.kind) }
        let withNull = operand.isNullable && values.contains(.null)
        var tests: [String] = []
        if let kind = operand.kind, !fitting.isEmpty {
            let test = "\(operand.text) IN (\(try list(fitting, kind)))"
            tests.append(exactly && operand.isNullable ? dialect.isTrue(test) : test)
        }
        if withNull { tests.append("\(operand.text) IS NULL") }
        // The operand stands in the text in any case, because its values are bound.
        if tests.isEmpty { tests.append("\(operand.text) IS NULL AND FALSE") }
        return answered([operand], "(" + tests.joined(separator: " OR ") + ")")
    }

    private mutating func list(_ values: [Value], _ kind: SQLKind) throws(PersistencyError) -> String {
        let place = dialect.placeholder(self.values.count + 1)
        if values.count > Self.listed, let list = dialect.list(values, kind, placeholder: place) {
            _ = bind(list.value)
            return list.selection
        }
        guard self.values.count + values.count < dialect.maximumValues else {
            throw .unsupportedQuery("membership in \(values.count) values of type \(kind.rawValue)")
        }
        return values.map { bind($0) }.joined(separator: ", ")
    }

    /// Whether a text is not before a prefix and before all that is after each text with it, so that an index finds
    /// them; the order of scalars is that of their UTF-8 bytes.
    mutating func hasPrefix(_ text: String, _ prefix: String) -> String {
        if prefix.isEmpty { return "\(text) IS NOT NULL" }
        let start = "\(text) >= \(bind(.text(prefix)))"
        guard let end = prefix.prefixSuccessor else { return start }
        return "(\(start) AND \(text) < \(bind(.text(end))))"
    }
}

extension String {
    /// The least text that is after every text which begins with this one; `nil` where there is none.
    var prefixSuccessor: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // The scalar after U+D7FF is U+E000: surrogates are none.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            var successor = String.UnicodeScalarView()
            successor.append(contentsOf: scalars)
            successor.append(scalar)
            return String(successor)
        }
        return nil
    }
}
