public import LarderDomain

// Reading and comparing cells without a copy of the stored value.

extension FixedWidthInteger where Self: ColumnValue {
    /// `nil` for another type, and for an integer out of the type's range.
    @inlinable public init?(cell: Cell) {
        guard case .integer(let integer) = cell else { return nil }
        self.init(exactly: integer)
    }
    /// Whether the cell has this integer.
    @inlinable public func isSame(as cell: Cell) -> Bool { Self(cell: cell) == self }
}

extension Bool {
    @inlinable public init?(cell: Cell) {
        switch cell {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
    @inlinable public func isSame(as cell: Cell) -> Bool { Bool(cell: cell) == self }
}

extension Double {
    @inlinable public init?(cell: Cell) {
        guard case .real(let real) = cell else { return nil }
        self = real
    }
    /// Bitwise: -0.0 is never stored, and is not the same as 0.0.
    @inlinable public func isSame(as cell: Cell) -> Bool { Double(cell: cell)?.bitPattern == bitPattern }
}

extension String {
    /// `nil` for invalid UTF-8.
    @inlinable public init?(cell: Cell) {
        guard case .text(let bytes) = cell else { return nil }
        let units = unsafe bytes.assumingMemoryBound(to: UInt8.self)
        // Decoding ASCII looks up no metadata and is three times as fast as validating.
        if unsafe bytes.isPlainASCII {
            unsafe self.init(decoding: units, as: UTF8.self)
        } else {
            unsafe self.init(validating: units, as: UTF8.self)
        }
    }
    /// Bytewise: a text that NFC would change is not the same.
    @inlinable public func isSame(as cell: Cell) -> Bool {
        guard case .text(let bytes) = cell else { return false }
        return unsafe utf8.withContiguousStorageIfAvailable { unsafe UnsafeRawBufferPointer($0).equals(bytes) } ?? false
    }
}

extension [UInt8] {
    @inlinable public init?(cell: Cell) {
        guard case .blob(let bytes) = cell else { return nil }
        unsafe self.init(bytes)
    }
    @inlinable public func isSame(as cell: Cell) -> Bool {
        guard case .blob(let bytes) = cell else { return false }
        return unsafe withUnsafeBytes { unsafe $0.equals(bytes) }
    }
}

extension RawID {
    /// `nil` unless the cell has 16 bytes.
    @inlinable public init?(cell: Cell) {
        guard case .blob(let bytes) = cell, bytes.count == 16 else { return nil }
        unsafe self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
    @inlinable public func isSame(as cell: Cell) -> Bool { RawID(cell: cell) == self }
}

extension EntityID {
    @inlinable public init?(cell: Cell) {
        guard let rawValue = RawID(cell: cell) else { return nil }
        self.init(rawValue)
    }
    @inlinable public func isSame(as cell: Cell) -> Bool { rawValue.isSame(as: cell) }
}

extension Timestamp {
    @inlinable public init?(cell: Cell) {
        guard let microseconds = Int64(cell: cell) else { return nil }
        self.init(microseconds: microseconds)
    }
    @inlinable public func isSame(as cell: Cell) -> Bool { microseconds.isSame(as: cell) }
}
