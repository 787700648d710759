#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import LarderDomain

extension UUID: ColumnValue {
    public static var columnType: ColumnType { .id }
    public func columnValue() -> Value { .id(RawID(self)) }
    public init?(columnValue: Value) {
        guard case .id(let id) = columnValue else { return nil }
        self.init(id)
    }
}

extension Date: ColumnValue {
    public static var columnType: ColumnType { .timestamp }
    /// The nearest microsecond; a date that has none in 64 bits is rejected. A `Timestamp` is exact at any distance, a
    /// `Date` between the years 1730 and 2270.
    public func columnValue() throws(ValueRefusal) -> Value {
        guard let nearest = Timestamp(nearest: self) else {
            throw ValueRefusal("must fit into 64 bits of microseconds since 1970")
        }
        return .integer(nearest.microseconds)
    }
    public init?(columnValue: Value) {
        guard let timestamp = Timestamp(columnValue: columnValue) else { return nil }
        self = timestamp.date
    }
}

extension Data: ColumnValue {
    public static var columnType: ColumnType { .blob }
    public func columnValue() -> Value { .blob(Array(self)) }
    public init?(columnValue: Value) {
        guard case .blob(let bytes) = columnValue else { return nil }
        self.init(bytes)
    }
}
