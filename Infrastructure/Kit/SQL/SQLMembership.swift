internal import LarderData
internal import LarderDomain

extension SQLBuilder {
    /// Lists longer than this are bound as one value, if possible, to limit distinct statements and bound values.
    private static var listed: Int { 64 }

    /// A test whether an operand equals one of some values. Values of another kind match no row.
    mutating func membership(
        _ operand: Operand, _ values: Set<Value>, in scope: SQLScope, exactly: Bool
    ) throws(PersistencyError) -> String {
        if values.isEmpty { return SQLText.constant(false) }
        let operand = try self.operand(operand, in: scope)
        let fitting = Array(values.filter { $0 != .null && (operand.kind == nil || SQLKind($0) == operand.kind) })
        let withNull = operand.isNullable && values.contains(.null)
        var tests: [String] = []
        if let kind = operand.kind, !fitting.isEmpty {
            let test = try membership(operand, fitting, kind)
            tests.append(exactly && operand.isNullable ? SQLText.isTrue(test) : test)
        }
        if withNull { tests.append("\(operand.text) IS NULL") }
        // The text always contains the operand, because the operand's values are bound already.
        if tests.isEmpty { tests.append("\(operand.text) IS NULL AND \(SQLText.constant(false))") }
        return answered([operand], "(" + tests.joined(separator: " OR ") + ")")
    }

    private mutating func membership(
        _ operand: SQLOperand, _ values: [Value], _ kind: SQLKind
    ) throws(PersistencyError) -> String {
        guard let bytes = dialect.bytes(ofArray: values, kind) else {
            return "\(operand.text) IN (\(try list(values, kind)))"
        }
        _ = bind(.blob(bytes))
        let array = dialect.array(self.values.count, kind)
        let test = "\(operand.text) = ANY (\(array))"
        guard operand.isIndexedByStart, let left = dialect.start(of: operand.text, kind),
            let start = dialect.start(of: "v", kind)
        else { return test }
        return "(\(left) = ANY (ARRAY(SELECT \(start) FROM unnest(\(array)) AS v)) AND \(test))"
    }

    private mutating func list(_ values: [Value], _ kind: SQLKind) throws(PersistencyError) -> String {
        let place = "?\(self.values.count + 1)"
        if values.count > Self.listed, let list = Self.packed(values, kind, placeholder: place) {
            _ = bind(list.value)
            return list.selection
        }
        guard self.values.count + values.count < SQLiteLibrary.maximumValues else {
            throw .unsupportedQuery("membership in \(values.count) values of type \(kind.rawValue)")
        }
        return values.map { bind($0) }.joined(separator: ", ")
    }

    /// A query that returns the values of a list, and the one value to bind for it; `nil` for real numbers, because
    /// SQLite may parse their text as another number.
    ///
    /// Ids are concatenated. Other values are preceded by their length in ten digits.
    private static func packed(
        _ values: [Value], _ kind: SQLKind, placeholder: String
    ) -> (selection: String, value: Value)? {
        let type: String
        switch kind {
        case .real: return nil
        case .id:
            let list = SQLPackedIDs(placeholder: placeholder)
            let ids = values.map { if case .id(let id) = $0 { id } else { RawID(high: 0, low: 0) } }
            return ("\(list.with) SELECT \(list.id) FROM ids", .blob(RawID.packed(ids)))
        case .integer: type = "INTEGER"
        case .text: type = "TEXT"
        case .blob: type = "BLOB"
        }
        var bytes: [UInt8] = []
        for value in values {
            let element = Self.bytes(of: value)
            let digits = String(element.count).utf8
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 10 - digits.count))
            bytes.append(contentsOf: digits)
            bytes.append(contentsOf: element)
        }
        func length(_ start: String) -> String { "CAST(substr(\(placeholder), \(start), 10) AS INTEGER)" }
        let selection =
            "WITH RECURSIVE list (i, n) AS (SELECT 11, \(length("1")) UNION ALL SELECT i + n + 10, \(length("i + n")) "
            + "FROM list WHERE i + n < length(\(placeholder))) SELECT CAST(substr(\(placeholder), i, n) AS \(type)) FROM list"
        return (selection, .blob(bytes))
    }

    private static func bytes(of value: Value) -> [UInt8] {
        switch value {
        case .integer(let integer): Array(String(integer).utf8)
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        case .null, .real, .id: []
        }
    }

    /// A prefix test as a range from the prefix to its successor, which can use an index. The order of scalars is that
    /// of their UTF-8 bytes.
    mutating func hasPrefix(_ text: SQLOperand, _ prefix: String) -> String {
        if prefix.isEmpty { return "\(text.text) IS NOT NULL" }
        let start = withStarts(text, .greaterOrEqual, bound(prefix))
        guard let end = prefix.prefixSuccessor else { return start }
        return "(\(start) AND \(withStarts(text, .less, bound(end))))"
    }

    private mutating func bound(_ text: String) -> SQLOperand {
        SQLOperand(text: bind(.text(text)), kind: .text, isNullable: false, isPartial: false)
    }
}

extension String {
    /// The least text that is greater than every text with this prefix, or `nil` if there is none.
    var prefixSuccessor: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // The scalar after U+D7FF is U+E000: surrogates are not scalars.
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
