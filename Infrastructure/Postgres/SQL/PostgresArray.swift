#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// PostgreSQL's binary form of a one-dimensional array, which is bound as one value.
enum PostgresArray {
    /// - Parameter values: Values of the kind, or `null`.
    static func bytes(_ values: some Collection<Value>, _ kind: SQLKind) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: Int) { bytes.appendBigEndian(Int32(truncatingIfNeeded: number)) }
        // The number of dimensions, whether there are nulls, and the type's number; then the length and the first index.
        append(values.isEmpty ? 0 : 1)
        append(values.contains(.null) ? 1 : 0)
        append(kind.typeNumber)
        if values.isEmpty { return bytes }
        append(values.count)
        append(1)
        bytes.reserveCapacity(bytes.count + values.reduce(0) { $0 + 4 + $1.byteCount })
        for value in values { value.appendField(to: &bytes) }
        return bytes
    }

    static func texts(_ texts: [String]) -> Value { .blob(bytes(texts.map(Value.text), .text)) }

    /// The binary form of a list of ids.
    static func bytes(_ ids: some Collection<RawID>) -> [UInt8] { bytes(ids.map(Value.id), .id) }
}

extension SQLKind {
    /// The number of the type in PostgreSQL's catalog, the same in every database.
    fileprivate var typeNumber: Int {
        switch self {
        case .integer: 20
        case .real: 701
        case .text: 25
        case .blob: 17
        case .id: 2950
        }
    }
}

extension Value {
    /// Appends the length and PostgreSQL's binary form.
    func appendField(to bytes: inout [UInt8]) {
        bytes.appendBigEndian(self == .null ? -1 : Int32(truncatingIfNeeded: byteCount))
        appendBinary(to: &bytes)
    }

    /// The number of bytes of the binary form.
    var byteCount: Int {
        switch self {
        case .null: 0
        case .integer, .real: 8
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .id: 16
        }
    }

    /// Appends PostgreSQL's binary form.
    func appendBinary(to bytes: inout [UInt8]) {
        switch self {
        case .null: break
        case .integer(let integer): bytes.appendBigEndian(integer)
        case .real(let real): bytes.appendBigEndian(real.bitPattern)
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .blob(let blob): bytes.append(contentsOf: blob)
        case .id(let id):
            bytes.appendBigEndian(id.high)
            bytes.appendBigEndian(id.low)
        }
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }
}
#endif
