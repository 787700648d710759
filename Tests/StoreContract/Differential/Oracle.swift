/// Evaluates queries over an array of rows in plain Swift, independently of the kit.
enum Oracle {
    /// The matching rows in an order. The id breaks ties.
    static func answer(_ question: PlainQuestion, order: [PlainOrder], from rows: [PlainRow]) -> [PlainRow] {
        rows.filter { holds(question, $0) }.sorted { one, other in
            for term in order {
                switch compare(one[term.property], other[term.property]) {
                case 0: continue
                case let sign: return (sign < 0) != term.isDescending
                }
            }
            return compare(one[.id], other[.id]) < 0
        }
    }

    /// The number of rows for each value of a property, without the rows in which it is missing.
    static func counts(of property: Property, in rows: [PlainRow]) -> [PlainValue: Int] {
        var counts: [PlainValue: Int] = [:]
        for row in rows where row[property] != .missing { counts[row[property], default: 0] += 1 }
        return counts
    }

    static func holds(_ question: PlainQuestion, _ row: PlainRow) -> Bool {
        switch question {
        case .compare(let lhs, let relation, let rhs):
            guard let left = value(lhs, row), let right = value(rhs, row) else { return false }
            return holds(left, relation, right)
        case .isAmong(let term, let values):
            guard let value = value(term, row) else { return false }
            return values.contains { compare($0, value) == 0 }
        case .contains(let term, let part):
            guard let (text, part) = texts(term, part, row) else { return false }
            return part.count <= text.count
                && (0...text.count - part.count).contains { text[$0...].prefix(part.count) == part[...] }
        case .begins(let term, let part):
            guard let (text, part) = texts(term, part, row) else { return false }
            return text.prefix(part.count) == part[...]
        case .isEmpty(let term):
            guard case .text(let text)? = value(term, row) else { return false }
            return text.bytes.isEmpty
        case .isWithin(let term, let from, let to, let isClosed):
            guard let value = value(term, row), value != .missing else { return false }
            return compare(from, value) <= 0 && compare(value, to) < (isClosed ? 1 : 0)
        case .chained(let property, let relation, let value, let otherwise):
            return row[property] == .missing ? otherwise : holds(row[property], relation, value)
        case .all(let parts): return !parts.contains { !holds($0, row) }
        case .any(let parts): return parts.contains { holds($0, row) }
        case .not(let inner): return !holds(inner, row)
        }
    }

    private static func holds(_ left: PlainValue, _ relation: Relation, _ right: PlainValue) -> Bool {
        let sign = compare(left, right)
        let areKnown = left != .missing && right != .missing
        return switch relation {
        case .equal: sign == 0
        case .notEqual: sign != 0
        case .less: areKnown && sign < 0
        case .lessOrEqual: areKnown && sign <= 0
        case .greater: areKnown && sign > 0
        case .greaterOrEqual: areKnown && sign >= 0
        }
    }

    /// The value of a term; `nil` for a sum without a value.
    private static func value(_ term: Term, _ row: PlainRow) -> PlainValue? {
        switch term {
        case .property(let property): return row[property]
        case .given(let value): return value
        case .orElse(let first, let other):
            let first = value(first, row)
            return first == .missing ? value(other, row) : first
        case .sum(let lhs, let sum, let rhs):
            switch (value(lhs, row), value(rhs, row)) {
            case (.integer(let a)?, .integer(let b)?): return whole(Int128(a), sum, Int128(b)).map { .integer($0) }
            case (.decimal(let a, let scale)?, .decimal(let b, let other)?):
                return decimal((a, scale), sum, (b, other))
            case (.real(let a)?, .real(let b)?): return real(a, sum, b).map { .real($0) }
            default: return nil
            }
        }
    }

    /// Computed in 128 bits, which cannot overflow. The result must fit in 64.
    private static func whole(_ a: Int128, _ sum: Sum, _ b: Int128) -> Int64? {
        switch sum {
        case .plus: Int64(exactly: a + b)
        case .minus: Int64(exactly: a - b)
        case .times: Int64(exactly: a * b)
        case .by: b == 0 ? nil : Int64(exactly: a / b)
        case .remainder: b == 0 ? nil : Int64(exactly: a % b)
        }
    }

    /// The result in units of the greater scale, or of both together for a product. They must fit in 64 bits.
    private static func decimal(
        _ a: (units: Int64, scale: Int), _ sum: Sum, _ b: (units: Int64, scale: Int)
    ) -> PlainValue? {
        if sum == .times {
            return Int64(exactly: Int128(a.units) * Int128(b.units)).map { .decimal($0, scale: a.scale + b.scale) }
        }
        let scale = max(a.scale, b.scale)
        let (left, right) = (units(a.units, a.scale, at: scale), units(b.units, b.scale, at: scale))
        return Int64(exactly: sum == .plus ? left + right : left - right).map { .decimal($0, scale: scale) }
    }

    private static func units(_ units: Int64, _ scale: Int, at finer: Int) -> Int128 {
        (scale..<finer).reduce(Int128(units)) { units, _ in units * 10 }
    }

    private static func real(_ a: Double, _ sum: Sum, _ b: Double) -> Double? {
        let result: Double
        switch sum {
        case .plus: result = a + b
        case .minus: result = a - b
        case .times: result = a * b
        case .by where b != 0: result = a / b
        case .by, .remainder: return nil
        }
        return result.isNaN ? nil : result
    }

    private static func texts(_ term: Term, _ part: Term, _ row: PlainRow) -> ([UInt8], [UInt8])? {
        guard case .text(let text)? = value(term, row), case .text(let part)? = value(part, row) else { return nil }
        return (text.bytes, part.bytes)
    }

    /// Negative, 0, or positive. A missing value is smaller than all others.
    static func compare(_ one: PlainValue, _ other: PlainValue) -> Int {
        switch (one, other) {
        case (.missing, .missing): 0
        case (.missing, _): -1
        case (_, .missing): 1
        case (.integer(let a), .integer(let b)), (.instant(let a), .instant(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.real(let a), .real(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.decimal(let a, let scale), .decimal(let b, let other)):
            Int((units(a, scale, at: 9) - units(b, other, at: 9)).signum())
        case (.text(let a), .text(let b)): compare(a.bytes, b.bytes)
        case (.bytes(let a), .bytes(let b)): compare(a, b)
        case (.flag(let a), .flag(let b)): (a ? 1 : 0) - (b ? 1 : 0)
        case (.day(let y1, let m1, let d1), .day(let y2, let m2, let d2)):
            (y1 - y2) * 10_000 + (m1 - m2) * 100 + d1 - d2
        case (.id(let a1, let a2), .id(let b1, let b2)): a1 != b1 ? (a1 < b1 ? -1 : 1) : a2 < b2 ? -1 : a2 > b2 ? 1 : 0
        default: 1
        }
    }

    private static func compare(_ one: [UInt8], _ other: [UInt8]) -> Int {
        for (a, b) in zip(one, other) where a != b { return a < b ? -1 : 1 }
        return one.count - other.count
    }
}
