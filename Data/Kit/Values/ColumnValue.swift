/// A Swift type that a column can store.
///
/// A stored value is read back unchanged [column.1], and saving the read value writes nothing [column.2]. A value outside the
/// range of its column is refused with the name of the field [column.4]. Queries compare and sort stored values [column.9].
///
/// Integers, `Bool`, `Double`, `Float`, `String`, `[UInt8]`, `Data`, `UUID`, `Date`, `Duration`, ``Timestamp``,
/// ``CalendarDay`` and ids conform, and so does an enum with such raw values by an empty extension. A ``DecimalValue`` is
/// stored with the scale of its column.
public protocol ColumnValue: Hashable, Sendable {
    /// The column type.
    static var columnType: ColumnType { get }
    /// Whether `null` represents a value of the type.
    static var isNullable: Bool { get }
    /// The representation, in the canonical form of all stores.
    func columnValue() throws(ValueRefusal) -> Value
    /// Decodes a value; `nil` for another type or a value out of range.
    init?(columnValue: Value)
    /// Decodes a cell, as ``init(columnValue:)`` does for a value.
    ///
    /// The default copies the cell to a ``Value``.
    init?(cell: Cell)
    /// Whether the value would be stored as the cell. May be `false` for a value that is not in canonical form, such as
    /// a text that is not in NFC.
    ///
    /// The default encodes the value.
    func isSame(as cell: Cell) -> Bool
}

extension ColumnValue {
    /// `false`: only `Optional` allows `null`.
    public static var isNullable: Bool { false }

    /// Decodes a copy of the cell.
    @inlinable public init?(cell: Cell) { self.init(columnValue: cell.value(of: Self.columnType)) }

    /// Encodes the value.
    public func isSame(as cell: Cell) -> Bool {
        guard let value = try? columnValue() else { return false }
        return value == cell.value(of: Self.columnType)
    }

    /// Whether both values would be stored, and as the same one. The type's own `==` may ignore a difference.
    @inlinable func isStored(as other: Self) -> Bool {
        guard let mine = try? columnValue(), let others = try? other.columnValue() else { return false }
        return mine == others
    }
}

/// The reason why a Swift value cannot be stored.
public struct ValueRefusal: Error, Hashable, Sendable {
    /// The violated rule: "must not contain U+0000".
    public let reason: String

    /// Creates a refusal from a rule, as a predicate of the value: "must not contain U+0000".
    public init(_ reason: String) {
        self.reason = reason
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    public static var columnType: ColumnType { Wrapped.columnType }
    public static var isNullable: Bool { true }

    /// `null` for `nil`.
    @inlinable public func columnValue() throws(ValueRefusal) -> Value {
        guard let self else { return .null }
        return try self.columnValue()
    }

    /// Decodes `null` as a wrapped `nil`.
    @inlinable public init?(columnValue: Value) {
        if case .null = columnValue {
            self = Wrapped?.none
        } else if let wrapped = Wrapped(columnValue: columnValue) {
            self = wrapped
        } else {
            return nil
        }
    }

    @inlinable public init?(cell: Cell) {
        if case .null = cell {
            self = Wrapped?.none
        } else if let wrapped = Wrapped(cell: cell) {
            self = wrapped
        } else {
            return nil
        }
    }

    /// Compares the wrapped value; `nil` is the same as `null`.
    @inlinable public func isSame(as cell: Cell) -> Bool {
        guard let self else {
            if case .null = cell { return true }
            return false
        }
        return self.isSame(as: cell)
    }
}

extension RawRepresentable where Self: ColumnValue, RawValue: ColumnValue {
    /// The type of the raw values.
    public static var columnType: ColumnType { RawValue.columnType }

    /// Encodes the raw value.
    @inlinable public func columnValue() throws(ValueRefusal) -> Value { try rawValue.columnValue() }

    /// Decodes the raw value; `nil` if no case has it.
    @inlinable public init?(columnValue: Value) {
        guard let rawValue = RawValue(columnValue: columnValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}
