internal import LarderData

/// The end of a log, recorded by a clean close. If a marker exists, a log with another end is damaged rather than torn.
struct LogMarker: Sendable, Equatable {
    static let size = 40
    private static let magic: [UInt8] = Array("Lrdm".utf8)

    let length: Int
    let count: UInt64
    let sequence: Int64
    let salt: UInt64

    /// Magic (4 bytes), length, number of records, last commit, salt (8 each), and a CRC-32C of all these (4).
    var bytes: [UInt8] {
        var bytes = Self.magic
        for number in [UInt64(length), count, UInt64(bitPattern: sequence), salt] { bytes.append(bigEndian: number) }
        bytes.append(bigEndian: CRC32C(bytes, bytes.indices).value)
        return bytes
    }
}

extension LogMarker {
    /// - Parameter end: The position after the last record.
    init(_ end: RecordPosition, sequence: Int64) {
        self.init(length: end.length, count: end.count, sequence: sequence, salt: end.salt)
    }

    /// Decodes a marker; `nil` for a torn marker or any other bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: Self.magic),
            bytes.number(at: 36, bytes: 4) == UInt64(CRC32C(bytes, 0..<36).value),
            let length = Int(exactly: bytes.number(at: 4))
        else { return nil }
        self.init(
            length: length, count: bytes.number(at: 12), sequence: Int64(bitPattern: bytes.number(at: 20)),
            salt: bytes.number(at: 28))
    }
}
