/// A Swift type that a column can hold.
public protocol ColumnValue: Hashable, Sendable {
    /// The type of a column that holds it.
    static var columnType: ColumnType { get }
    /// Whether `null` is one of its values.
    static var isNullable: Bool { get }
    /// The value that stands for it, in the one form that every store keeps.
    func columnValue() throws(ValueRefusal) -> Value
    /// The value back; `nil` where it is of another type or out of range.
    init?(columnValue: Value)
    /// The value of a cell, as ``init(columnValue:)`` reads it.
    ///
    /// The default copies the cell to a ``Value``.
    init?(cell: Cell)
    /// Whether the value is stored as the cell has it and is equal to what is read from the cell. `false` is permitted
    /// for a value that is stored in another form than its own, such as a text that is not in NFC.
    ///
    /// The default encodes the value.
    func isSame(as cell: Cell) -> Bool
}

extension ColumnValue {
    /// `false`: only `Optional` takes `null`.
    public static var isNullable: Bool { false }

    /// Reads a copy of the cell.
    @inlinable public init?(cell: Cell) { self.init(columnValue: cell.value(of: Self.columnType)) }

    /// Encodes the value and decodes the cell.
    public func isSame(as cell: Cell) -> Bool {
        let value = cell.value(of: Self.columnType)
        guard let mine = try? columnValue(), mine == value else { return false }
        return Self(columnValue: value) == self
    }
}

/// Why a Swift value cannot be stored.
public struct ValueRefusal: Error, Hashable, Sendable {
    /// What is wrong with it: "must not contain U+0000".
    public let reason: String

    public init(_ reason: String) {
        self.reason = reason
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The type of what is wrapped.
    public static var columnType: ColumnType { Wrapped.columnType }
    /// `true`.
    public static var isNullable: Bool { true }

    /// `null` for `nil`.
    @inlinable public func columnValue() throws(ValueRefusal) -> Value {
        guard let self else { return .null }
        return try self.columnValue()
    }

    /// `nil` within for `null`.
    @inlinable public init?(columnValue: Value) {
        if case .null = columnValue {
            self = Wrapped?.none
        } else if let wrapped = Wrapped(columnValue: columnValue) {
            self = wrapped
        } else {
            return nil
        }
    }

    /// `nil` within for `null`.
    @inlinable public init?(cell: Cell) {
        if case .null = cell {
            self = Wrapped?.none
        } else if let wrapped = Wrapped(cell: cell) {
            self = wrapped
        } else {
            return nil
        }
    }

    /// Compares what is wrapped.
    @inlinable public func isSame(as cell: Cell) -> Bool {
        guard let self else {
            if case .null = cell { return true }
            return false
        }
        return self.isSame(as: cell)
    }
}

extension RawRepresentable where Self: ColumnValue, RawValue: ColumnValue {
    /// The type of the raw value.
    public static var columnType: ColumnType { RawValue.columnType }

    /// The raw value's.
    @inlinable public func columnValue() throws(ValueRefusal) -> Value { try rawValue.columnValue() }

    /// The case with the raw value; `nil` where there is none.
    @inlinable public init?(columnValue: Value) {
        guard let rawValue = RawValue(columnValue: columnValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}
