#if Postgres
internal import CLarderPostgres
internal import LarderData

/// The binary form of rows in `COPY`. The server inserts the first ones while the next ones are encoded.
struct PostgresCopy {
    private static let maximumBytes = 1 << 15
    private let connection: PostgresConnection
    private var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

    init(on connection: PostgresConnection) { self.connection = connection }

    /// Appends a row in two parts.
    mutating func append(_ first: [Value], _ rest: [Value]) {
        bytes.appendBigEndian(Int16(truncatingIfNeeded: first.count + rest.count))
        for value in first { value.appendField(to: &bytes) }
        for value in rest { value.appendField(to: &bytes) }
        if bytes.count >= Self.maximumBytes { send() }
    }

    mutating func end() {
        bytes.appendBigEndian(Int16(-1))
        send()
    }

    private mutating func send() {
        unsafe bytes.withUnsafeBytes { bytes in
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            _ = unsafe PQputCopyData(connection.handle, address, Int32(truncatingIfNeeded: bytes.count))
        }
        bytes.removeAll(keepingCapacity: true)
        connection.sendAll()
    }
}
#endif
