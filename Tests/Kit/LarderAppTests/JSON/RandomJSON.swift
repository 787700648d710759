import LarderApp
import LarderDomain

/// Random JSON values, reproducible by seed.
struct RandomJSON: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// A value with at most this many levels of arrays and objects.
    mutating func json(depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &self) {
        case 0: .null
        case 1: .bool(Bool.random(using: &self))
        case 2: .integer(Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self))
        case 3: number()
        case 4: .string(text())
        case 5: .array((0..<Int.random(in: 0..<6, using: &self)).map { _ in json(depth: depth - 1) })
        default: .object(members(depth: depth))
        }
    }

    /// Few different names, so that two objects share some; rarely very many members, to cover large objects.
    private mutating func members(depth: Int) -> [JSON.Member] {
        let count = Int.random(in: 0..<20, using: &self) == 0 ? 40 : Int.random(in: 0..<5, using: &self)
        return (0..<count).shuffled(using: &self).map { JSON.Member("n\($0)", json(depth: count > 5 ? 0 : depth - 1)) }
    }

    /// A finite number of random bits, or a decimal, of few or of all digits.
    private mutating func number() -> JSON {
        let any = Double(bitPattern: next())
        // A number of moderate size is written as a decimal.
        if Bool.random(using: &self), any.isFinite, !(1e-5..<1e16).contains(any.magnitude) { return .number(any) }
        let units = Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self)
        return .decimal(ExactDecimal(units: units, scale: Int.random(in: 1...9, using: &self)))
    }

    private mutating func text() -> String {
        let scalars: [ClosedRange<UInt32>] = [
            0x1...0x1F, 0x20...0x7F, 0x80...0x7FF, 0xE000...0xFFFF, 0x1F600...0x1F64F,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &self) {
            let range = scalars[Int.random(in: scalars.indices, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
