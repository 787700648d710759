#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import GRDB
internal import LarderData
internal import LarderDomain

/// A translated operand.
struct Term {
    let sql: SQL
    /// One of `integer`, `real`, `text`, `blob`, and `id`; `nil` for a bare `null`.
    let type: ColumnType?
    /// Whether it can be undefined, as the result of arithmetic can.
    var isPartial = false

    /// A value as an argument of the statement. GRDB binds a text up to U+0000, which a query may contain.
    static func bound(_ value: Value) -> SQL {
        switch value {
        case .text(let text) where text.utf8.contains(0): "CAST(\(Data(text.utf8)) AS TEXT)"
        case .blob([]): "x''"
        default: "\(value.stored)"
        }
    }

    /// Whether the value is defined. The result of integers that overflow is real, also after further operations;
    /// division by zero and NaN are `NULL`.
    private var isDefined: SQL { type == .integer ? "typeof(\(sql)) = 'integer'" : "\(sql) IS NOT NULL" }

    /// A test that is false if an operand is undefined.
    static func defined(_ terms: [Term], _ test: SQL) -> SQL {
        terms.reversed().reduce(test) { $1.isPartial ? "(\($1.isDefined) AND \($0))" : $0 }
    }

    /// A test whether the value is in a set. Values of other types match nothing.
    func isIn(_ values: Set<Value>) -> SQL {
        var tests: [SQL] = []
        let fitting = values.filter { $0 != .null && ColumnType(of: $0) == type }
        if !fitting.isEmpty {
            let list = fitting.map(Self.bound)
            tests.append("\(sql) IN (\(list.dropFirst().reduce(into: list[0]) { $0 += ", "; $0 += $1 }))")
        }
        if values.contains(.null) { tests.append("\(sql) IS NULL") }
        guard let first = tests.first else { return "FALSE" }
        return Self.defined([self], tests.count == 1 ? first : "(\(first) OR \(tests[1]))")
    }

    /// A range from the prefix to its successor, which can use an index.
    func hasPrefix(_ prefix: String) -> SQL {
        if prefix.isEmpty { return "\(sql) IS NOT NULL" }
        let start: SQL = "\(sql) >= \(Self.bound(.text(prefix)))"
        var scalars = prefix.unicodeScalars
        while let last = scalars.popLast() {
            // U+D800 to U+DFFF are no scalars.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            scalars.append(next)
            return "(\(start) AND \(sql) < \(Self.bound(.text(String(scalars)))))"
        }
        return start
    }

    func coalesced(with other: Term) throws(PersistencyError) -> Term {
        // A partial value is `NULL` only if it is undefined, and then the result is undefined too.
        if isPartial { return self }
        guard let type else { return other }
        guard other.type == nil || other.type == type else {
            throw .unsupportedQuery("a default of another type, \(other.type?.rawValue ?? "") for \(type.rawValue)")
        }
        return Term(sql: "coalesce(\(sql), \(other.sql))", type: type, isPartial: other.isPartial)
    }
}

extension Comparison {
    /// `IS` compares `NULL` as a value, and can use an index.
    func test(_ lhs: Term, _ rhs: Term) throws(PersistencyError) -> SQL {
        if let left = lhs.type, let right = rhs.type, left != right {
            throw .unsupportedQuery("\(left.rawValue) \(rawValue) \(right.rawValue)")
        }
        let symbol =
            switch self {
            case .equal: "IS"
            case .notEqual: "IS NOT"
            default: rawValue
            }
        return Term.defined([lhs, rhs], "\(lhs.sql) \(sql: symbol) \(rhs.sql)")
    }
}

extension Arithmetic {
    func applied(to lhs: Term, _ rhs: Term) throws(PersistencyError) -> Term {
        let type = lhs.type ?? rhs.type ?? .integer
        guard type == rhs.type ?? type, type == .integer || type == .real && self != .remainder else {
            throw .unsupportedQuery("\(rawValue) of values that are not numbers of one type")
        }
        return Term(sql: "(\(lhs.sql) \(sql: rawValue) \(rhs.sql))", type: type, isPartial: true)
    }
}

extension ColumnType {
    /// The type of a value in a comparison; `nil` for `null`.
    init?(of value: Value) {
        switch value {
        case .null: return nil
        case .integer: self = .integer
        case .real: self = .real
        case .text: self = .text
        case .blob: self = .blob
        case .id: self = .id
        }
    }

    /// The type of the column in a comparison.
    var compared: ColumnType {
        switch self {
        case .boolean, .timestamp: .integer
        case .day: .text
        default: self
        }
    }
}
