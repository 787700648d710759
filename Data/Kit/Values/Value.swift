public import LarderDomain

/// One value of a storage object, of a type that every store preserves exactly [value.1].
public enum Value: Hashable, Sendable {
    /// No value.
    case null
    /// An integer; also booleans (0 and 1) and instants (microseconds since 1970, UTC).
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
    /// Compares texts by their bytes, which for NFC is canonical equivalence. `String` compares by normalizing both
    /// texts, which is slower, and takes quadratic time for texts that are not in NFC.
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

    /// Hashes the bytes of a text and not its normal form, consistent with ``==(_:_:)``.
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

    /// The order of every store: `null`, integers, reals, texts by UTF-8 bytes, blobs and ids by bytes.
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
