internal import LarderData

/// The 28 bytes before the content of a record: magic and kind (4), length of the content (4), checksum (4), number of
/// the record (8), salt of its log (8).
///
/// The checksum is a CRC-32C of the rest of the record. The frame of a log's first record is the same in every format.
struct RecordFrame: Sendable, Equatable {
    /// Any byte, so that a record of an unknown kind is an intact record and not a torn write.
    struct Kind: RawRepresentable, Sendable, Hashable {
        let rawValue: UInt8

        /// The first record: format, number of the last commit before the log, schemas.
        static let head = Kind(rawValue: 0x48)
        /// Retained commits before the start of the log; since format 5.
        static let journal = Kind(rawValue: 0x4A)
        /// Roots with their state at the start of the log.
        static let roots = Kind(rawValue: 0x52)
        /// The end of these roots.
        static let end = Kind(rawValue: 0x45)
        /// A group of commits.
        static let commits = Kind(rawValue: 0x43)
    }

    static let size = 28
    /// The maximum size of the content in bytes. Change sets, and groups of them, are far smaller.
    static let maximumLength = 128 << 20
    private static let magic: [UInt8] = Array("Lrd".utf8)

    let kind: Kind
    let length: Int
    /// The position of the record in its log, from 0.
    let number: UInt64
    let salt: UInt64

    /// Writes the frame over the first bytes of a record, which precede its content.
    func write(to record: inout [UInt8]) {
        var frame = Self.magic + [kind.rawValue]
        frame.append(bigEndian: UInt32(truncatingIfNeeded: length))
        frame.append(bigEndian: UInt32(0))
        frame.append(bigEndian: number)
        frame.append(bigEndian: salt)
        record.replaceSubrange(0..<Self.size, with: frame)
        var checksum: [UInt8] = []
        checksum.append(bigEndian: Self.checksum(of: record, 0..<record.count))
        record.replaceSubrange(8..<12, with: checksum)
    }

    var size: Int { Self.size + length }
}

extension RecordFrame {
    /// Decodes the frame at a position; `nil` if it is invalid or its content exceeds the file. Ignores the content.
    ///
    /// - Parameter available: The number of bytes from the position to the end of the file.
    init?(_ bytes: [UInt8], at place: Int, available: Int) {
        guard available >= Self.size, bytes.count - place >= Self.size, Self.hasMagic(bytes, at: place) else {
            return nil
        }
        let length = Int(bytes.number(at: place + 4, bytes: 4))
        guard length <= Self.maximumLength, length <= available - Self.size else { return nil }
        self.init(
            kind: Kind(rawValue: bytes[place + 3]), length: length, number: bytes.number(at: place + 12),
            salt: bytes.number(at: place + 20))
    }

    static func hasMagic(_ bytes: [UInt8], at place: Int) -> Bool {
        bytes.count - place >= 3 && bytes[place] == magic[0] && bytes[place + 1] == magic[1]
            && bytes[place + 2] == magic[2]
    }

    /// Whether the checksum matches the record, which must be complete.
    func matches(_ bytes: [UInt8], at place: Int) -> Bool {
        bytes.number(at: place + 8, bytes: 4) == UInt64(Self.checksum(of: bytes, place..<place + size))
    }

    private static func checksum(of bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        let start = range.lowerBound
        return CRC32C(bytes, start..<start + 8, start + 12..<range.upperBound).value
    }
}
