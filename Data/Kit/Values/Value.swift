public import LarderDomain

/// One value of a storage object: the few shapes that every store can keep exactly.
public enum Value: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number; also booleans (0 and 1) and instants (microseconds since 1970, UTC).
    case integer(Int64)
    /// A finite number, never -0.0.
    case real(Double)
    /// Text in NFC without U+0000; also calendar days (`2026-11-20`).
    case text(String)
    /// Bytes.
    case blob([UInt8])
    /// The id of an entity.
    case id(RawID)
}

extension Value {
    /// Two texts are equal when their bytes are, which for NFC is when they are canonically equivalent. `String` compares
    /// by normalizing both, which takes longer, and quadratic time for texts that are not in NFC.
    public static func == (lhs: Value, rhs: Value) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.text(var a), .text(var b)):
            a.withUTF8 { a in b.withUTF8 { b in unsafe UnsafeRawBufferPointer(a).equals(UnsafeRawBufferPointer(b)) } }
        case (.blob(let a), .blob(let b)): a == b
        case (.id(let a), .id(let b)): a == b
        default: false
        }
    }

    /// Feeds the bytes of a text rather than its normal form, as ``==(_:_:)`` compares it.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .null: break
        case .integer(let integer): hasher.combine(integer)
        case .real(let real): hasher.combine(real)
        case .text(var text):
            text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(0xFF as UInt8)
        case .blob(let blob): hasher.combine(blob)
        case .id(let id): hasher.combine(id)
        }
    }

    /// The order of every store: `null`, then numbers, texts by their UTF-8 bytes, blobs and ids by their bytes.
    public static func precedes(_ lhs: Value, _ rhs: Value) -> Bool {
        switch (lhs, rhs) {
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a < b
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.blob(let a), .blob(let b)): a.lexicographicallyPrecedes(b)
        case (.id(let a), .id(let b)): a < b
        default: lhs.rank < rhs.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer: 1
        case .real: 2
        case .text: 3
        case .blob: 4
        case .id: 5
        }
    }
}
