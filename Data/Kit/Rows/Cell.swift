internal import LarderDomain

/// A value in a row that a store lends, in the store's own memory.
///
/// The bytes of a text or blob are valid until the next row is read. A cell is not `Sendable`, and a mapper receives it
/// only as an argument: a ``ColumnValue`` copies its content.
@safe public enum Cell {
    /// No value.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A double-precision number.
    case real(Double)
    /// The bytes of a text, which may be invalid UTF-8.
    case text(UnsafeRawBufferPointer)
    /// Bytes; 16 for an id.
    case blob(UnsafeRawBufferPointer)

    /// A copy as a value of a column's type. Bytes that are invalid for the type remain a blob, so that the mapper's
    /// error names the column.
    public func value(of type: ColumnType) -> Value {
        switch self {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let bytes): unsafe String(cell: self).map(Value.text) ?? .blob(Array(bytes))
        case .blob(let bytes):
            if type == .id, let id = RawID(cell: self) { .id(id) } else { unsafe .blob(Array(bytes)) }
        }
    }

    /// Whether it has no value.
    @inlinable var isNull: Bool { if case .null = self { true } else { false } }

    var byteCount: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let bytes), .blob(let bytes): bytes.count
        }
    }
}

@available(*, unavailable)
extension Cell: Sendable {}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are equal; compares words of eight bytes, of which the last overlaps the one before.
    @usableFromInline
    package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        if count < 8 { return unsafe elementsEqual(other) }
        var offset = 0
        while true {
            let word = unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard unsafe word == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            if offset == count &- 8 { return true }
            offset = Swift.min(offset &+ 8, count &- 8)
        }
    }

    /// Whether all bytes are ASCII and none is 0; tests such words.
    @usableFromInline var isPlainASCII: Bool {
        if count < 8 { return unsafe allSatisfy { $0 != 0 && $0 < 0x80 } }
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        var offset = 0
        while true {
            let word = unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // The top bit of a byte is set if it is not ASCII, or by the borrow if it is 0.
            if (word | (word &- ones)) & tops != 0 { return false }
            if offset == count &- 8 { return true }
            offset = Swift.min(offset &+ 8, count &- 8)
        }
    }
}

extension String {
    /// Whether the text is stored unchanged: ASCII without zero bytes.
    @usableFromInline var isPlainASCII: Bool {
        unsafe utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).isPlainASCII } ?? false
    }
}
