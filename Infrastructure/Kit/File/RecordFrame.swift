internal import LarderData

/// What stands before the content of a record, 28 bytes: magic and kind (4), length of the content (4), checksum (4),
/// the record's number (8), the salt of its log (8).
///
/// The checksum is a CRC-32C of all but itself. The frame of a log's first record is the same in every later format.
struct RecordFrame: Sendable, Equatable {
    /// Any byte, so that a record of a kind that nobody knows is still one, and no write that was cut short.
    struct Kind: RawRepresentable, Sendable, Hashable {
        let rawValue: UInt8

        /// The first record: format, schemas, number of the last commit before.
        static let head = Kind(rawValue: 0x48)
        /// Roots as they were when the log began.
        static let roots = Kind(rawValue: 0x52)
        /// That was all of them.
        static let end = Kind(rawValue: 0x45)
        /// A group of commits.
        static let commits = Kind(rawValue: 0x43)
    }

    static let size = 28
    /// The most bytes of content. A change set is smaller by far, and so is what is put together.
    static let maximumLength = 128 << 20
    private static let magic: [UInt8] = Array("Lrd".utf8)

    let kind: Kind
    let length: Int
    /// The place of the record in its log, from 0.
    let number: UInt64
    let salt: UInt64

    /// Writes itself over the first bytes of a record whose content follows them.
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
    /// The frame at the start of a range, if there is one whose content can lie in a file; the content is not looked at.
    ///
    /// - Parameter available: How many bytes the file has from there on.
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

    /// Whether the whole record, which must be there, is as it was written.
    func matches(_ bytes: [UInt8], at place: Int) -> Bool {
        bytes.number(at: place + 8, bytes: 4) == UInt64(Self.checksum(of: bytes, place..<place + size))
    }

    private static func checksum(of bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        var checksum = CRC32C()
        checksum.add(bytes, range.lowerBound..<range.lowerBound + 8)
        checksum.add(bytes, range.lowerBound + 12..<range.upperBound)
        return checksum.value
    }
}
