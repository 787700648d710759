#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import GRDB
internal import LarderData
internal import LarderDomain

extension Value {
    /// The value as GRDB stores it.
    ///
    /// GRDB binds empty data as `NULL`, so an empty blob is an empty text, which statements cast to a blob.
    var stored: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .real(let real): real.databaseValue
        case .text(let text): text.databaseValue
        case .blob([]): "".databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        case .id(let id): id.stored
        }
    }
}

extension RawID {
    /// The 16 bytes of the id.
    var stored: DatabaseValue {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe Data($0) }.databaseValue
    }
}

extension Row {
    func id(_ column: Int) throws -> RawID {
        let id = try withUnsafeData(atIndex: column) { $0.flatMap(RawID.init(bytes:)) }
        guard let id else {
            throw PersistencyError.unavailable(Unavailable(.failed, "the database has a key that is not an id"))
        }
        return id
    }

    /// A column as a value of a type. Bytes that are not an id remain a blob, so that the mapper's error names the
    /// column.
    func value(_ column: Int, _ type: ColumnType) -> LarderData.Value {
        let value: DatabaseValue = self[column]
        switch value.storage {
        case .null: return .null
        case .int64(let integer): return .integer(integer)
        case .double(let real): return .real(real)
        case .string(let text): return .text(text)
        case .blob(let data):
            if type == .id, let id = RawID(bytes: data) { return .id(id) }
            return .blob(Array(data))
        }
    }
}

extension RawID {
    fileprivate init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        func word(_ start: Int) -> UInt64 {
            bytes.dropFirst(start).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(high: word(0), low: word(8))
    }
}
