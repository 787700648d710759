package import LarderDomain

/// Encodes values, ids and numbers as bytes: the format of cursors and of the logs of file stores.
///
/// Fixed-width numbers are big-endian. Counts are varints: groups of seven bits, the lowest first. Data of variable
/// length is preceded by its length.
package struct ValueWriter {
    /// The header and the content so far.
    package var bytes: [UInt8]
    private let headerSize: Int

    /// - Parameter headerSize: The number of zero bytes before the content, which the owner of the bytes overwrites.
    package init(headerSize: Int = 0) {
        self.headerSize = headerSize
        bytes = [UInt8](repeating: 0, count: headerSize)
    }

    /// The bytes after the header.
    package var content: ArraySlice<UInt8> { bytes[headerSize...] }

    /// The number of bytes of content.
    package var count: Int { bytes.count - headerSize }

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends a big-endian number.
    package mutating func append(fixed number: some FixedWidthInteger) { bytes.append(bigEndian: number) }

    /// Appends the content of another writer.
    package mutating func append(content: ArraySlice<UInt8>) { bytes += content }

    /// Appends a varint, for counts and numbers that are usually small.
    package mutating func append(_ count: UInt64) {
        var rest = count
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    package mutating func append(_ count: Int) { append(UInt64(count)) }

    package mutating func append(_ id: RawID) {
        append(fixed: id.high)
        append(fixed: id.low)
    }

    package mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes += text.utf8
    }

    package mutating func append(_ value: Value) {
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
}

extension [UInt8] {
    package mutating func append(bigEndian number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe self.append(contentsOf: $0) }
    }

    /// The big-endian number at an offset; the bytes must exist.
    package func number(at place: Int, bytes count: Int = 8) -> UInt64 {
        var (number, next) = (UInt64(0), place)
        while next < place + count {
            number = number &<< 8 | UInt64(self[next])
            next += 1
        }
        return number
    }
}
