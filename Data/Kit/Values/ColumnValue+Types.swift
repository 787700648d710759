public import LarderDomain

extension Int: ColumnValue {}
extension Int32: ColumnValue {}
extension Int64: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt64: ColumnValue {}

extension FixedWidthInteger where Self: ColumnValue {
    /// `integer`.
    public static var columnType: ColumnType { .integer }
    /// Rejects an integer that a signed integer of 64 bits does not represent.
    @inlinable public func columnValue() throws(ValueRefusal) -> Value {
        guard let integer = Int64(exactly: self) else { throw ValueRefusal("must be at most \(Int64.max)") }
        return .integer(integer)
    }
    /// `nil` for another type, and for an integer out of the type's range.
    @inlinable public init?(columnValue: Value) {
        guard case .integer(let integer) = columnValue else { return nil }
        self.init(exactly: integer)
    }
}

extension Bool: ColumnValue {
    public static var columnType: ColumnType { .boolean }
    @inlinable public func columnValue() -> Value { .integer(self ? 1 : 0) }
    @inlinable public init?(columnValue: Value) {
        switch columnValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension Double: ColumnValue {
    public static var columnType: ColumnType { .real }
    /// -0.0 becomes 0.0, because SQLite does not preserve its sign; a number that is not finite is rejected.
    @inlinable public func columnValue() throws(ValueRefusal) -> Value {
        guard isFinite else { throw ValueRefusal("must be a finite number") }
        return .real(self == 0 ? 0 : self)
    }
    @inlinable public init?(columnValue: Value) {
        guard case .real(let real) = columnValue else { return nil }
        self = real
    }
}

extension Float: ColumnValue {
    public static var columnType: ColumnType { .real }
    /// As a `Double`.
    @inlinable public func columnValue() throws(ValueRefusal) -> Value { try Double(self).columnValue() }
    /// `nil` for a number that the type would round.
    @inlinable public init?(columnValue: Value) {
        guard case .real(let real) = columnValue else { return nil }
        self.init(exactly: real)
    }
}

extension String: ColumnValue {
    public static var columnType: ColumnType { .text }
    /// The text in NFC; U+0000 is rejected, because it terminates text in C APIs.
    @inlinable public func columnValue() throws(ValueRefusal) -> Value {
        if isPlainASCII { return .text(self) }
        guard !utf8.contains(0) else { throw ValueRefusal("must not contain U+0000") }
        return .text(canonicallyComposed)
    }
    @inlinable public init?(columnValue: Value) {
        guard case .text(let text) = columnValue else { return nil }
        self = text
    }
}

extension [UInt8]: ColumnValue {
    public static var columnType: ColumnType { .blob }
    @inlinable public func columnValue() -> Value { .blob(self) }
    @inlinable public init?(columnValue: Value) {
        guard case .blob(let bytes) = columnValue else { return nil }
        self = bytes
    }
}

extension RawID: ColumnValue {
    public static var columnType: ColumnType { .id }
    @inlinable public func columnValue() -> Value { .id(self) }
    @inlinable public init?(columnValue: Value) {
        guard case .id(let id) = columnValue else { return nil }
        self = id
    }
}

extension EntityID: ColumnValue {
    public static var columnType: ColumnType { .id }
    @inlinable public func columnValue() -> Value { .id(rawValue) }
    @inlinable public init?(columnValue: Value) {
        guard let rawValue = RawID(columnValue: columnValue) else { return nil }
        self.init(rawValue)
    }
}

extension Timestamp: ColumnValue {
    public static var columnType: ColumnType { .timestamp }
    @inlinable public func columnValue() -> Value { .integer(microseconds) }
    @inlinable public init?(columnValue: Value) {
        guard let microseconds = Int64(columnValue: columnValue) else { return nil }
        self.init(microseconds: microseconds)
    }
}

extension CalendarDay: ColumnValue {
    public static var columnType: ColumnType { .day }
    @inlinable public func columnValue() -> Value { .text(description) }
    @inlinable public init?(columnValue: Value) {
        guard let text = String(columnValue: columnValue) else { return nil }
        self.init(text)
    }
}

extension Duration: ColumnValue {
    public static var columnType: ColumnType { .integer }
    /// Microseconds, rounded to the nearest [column.3]; a duration beyond 64 bits, about 292,000 years, is rejected.
    public func columnValue() throws(ValueRefusal) -> Value {
        let (seconds, attoseconds) = components
        // Away from zero if both are equally near.
        let half: Int64 = attoseconds < 0 ? -500_000_000_000 : 500_000_000_000
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        let sum = whole.partialValue.addingReportingOverflow((attoseconds + half) / 1_000_000_000_000)
        guard !whole.overflow, !sum.overflow else { throw ValueRefusal("must fit into 64 bits of microseconds") }
        return .integer(sum.partialValue)
    }
    public init?(columnValue: Value) {
        guard case .integer(let microseconds) = columnValue else { return nil }
        self = .microseconds(microseconds)
    }
}
