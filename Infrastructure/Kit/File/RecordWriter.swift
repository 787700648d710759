internal import LarderData
internal import LarderDomain

/// Puts together the bytes of one record: numbers of fixed length big-endian, counts in groups of seven bits, the lowest
/// first, and whatever has a length after it.
struct RecordWriter {
    /// The record so far, with room for its frame.
    private(set) var bytes = [UInt8](repeating: 0, count: RecordFrame.size)

    /// What stands after the frame.
    var content: ArraySlice<UInt8> { bytes[RecordFrame.size...] }

    /// Bytes of content.
    var count: Int { bytes.count - RecordFrame.size }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(fixed number: UInt64) { bytes.append(bigEndian: number) }

    mutating func append(fixed number: UInt32) { bytes.append(bigEndian: number) }

    /// Bytes that another one wrote.
    mutating func append(content: ArraySlice<UInt8>) { bytes += content }

    /// A count, or any number that is mostly small.
    mutating func append(_ count: UInt64) {
        var rest = count
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(_ count: Int) { append(UInt64(count)) }

    mutating func append(_ id: RawID) {
        append(fixed: id.high)
        append(fixed: id.low)
    }

    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes += text.utf8
    }

    mutating func append(_ value: Value) {
        switch value {
        case .null: append(UInt8(0))
        case .integer(let integer):
            append(UInt8(1))
            append(UInt64(bitPattern: integer &<< 1 ^ integer &>> 63))
        case .real(let real):
            append(UInt8(2))
            append(fixed: real.bitPattern)
        case .text(let text):
            append(UInt8(3))
            append(text)
        case .blob(let blob):
            append(UInt8(4))
            append(blob.count)
            bytes += blob
        case .id(let id):
            append(UInt8(5))
            append(id)
        }
    }

    /// The record with its frame.
    consuming func record(_ kind: RecordFrame.Kind, number: UInt64, salt: UInt64) -> [UInt8] {
        RecordFrame(kind: kind, length: count, number: number, salt: salt).write(to: &bytes)
        return bytes
    }
}

extension [UInt8] {
    mutating func append(bigEndian number: UInt64) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe self.append(contentsOf: $0) }
    }

    mutating func append(bigEndian number: UInt32) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe self.append(contentsOf: $0) }
    }

    /// The number of so many bytes at a place, which must be there.
    func number(at place: Int, bytes count: Int = 8) -> UInt64 {
        var (number, next) = (UInt64(0), place)
        while next < place + count {
            number = number &<< 8 | UInt64(self[next])
            next += 1
        }
        return number
    }
}
