package import LarderDomain

/// The error for bytes that are not the output of ``ValueWriter`` in the expected order.
package struct MalformedBytes: Error {
    package init() {}
}

/// Decodes the output of ``ValueWriter``. On any input, it neither traps nor allocates more than the input's size.
package struct ValueReader {
    private let bytes: [UInt8]
    private var place: Int
    private let end: Int

    /// Reads a range, which must be within the bytes.
    package init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    /// Reads all bytes.
    package init(_ bytes: [UInt8]) {
        self.init(bytes, bytes.indices)
    }

    package var isAtEnd: Bool { place == end }

    /// The unread bytes.
    package var rest: ArraySlice<UInt8> { bytes[place..<end] }

    package mutating func byte() throws(MalformedBytes) -> UInt8 {
        guard place < end else { throw MalformedBytes() }
        defer { place += 1 }
        return bytes[place]
    }

    /// Reads a big-endian number.
    package mutating func fixed(bytes count: Int = 8) throws(MalformedBytes) -> UInt64 {
        let range = try take(count)
        return bytes.number(at: range.lowerBound, bytes: count)
    }

    /// Reads a varint.
    package mutating func number() throws(MalformedBytes) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try byte()
            if shift == 63, byte > 1 { throw MalformedBytes() }
            number |= UInt64(byte & 0x7F) &<< shift
            if byte & 0x80 == 0 { return number }
        }
        throw MalformedBytes()
    }

    /// Reads a varint that fits `Int`.
    package mutating func count() throws(MalformedBytes) -> Int {
        guard let count = Int(exactly: try number()) else { throw MalformedBytes() }
        return count
    }

    /// Reads a number of items. Each has at least one byte, so a number above the unread bytes is rejected.
    package mutating func countOfItems() throws(MalformedBytes) -> Int {
        let count = try count()
        guard count <= end - place else { throw MalformedBytes() }
        return count
    }

    package mutating func id() throws(MalformedBytes) -> RawID { RawID(high: try fixed(), low: try fixed()) }

    package mutating func text() throws(MalformedBytes) -> String {
        let range = try take(count())
        guard let text = String(validating: bytes[range], as: UTF8.self) else { throw MalformedBytes() }
        return text
    }

    /// Reads a value that is a text.
    ///
    /// - Returns: The range of its bytes, which may be invalid UTF-8.
    package mutating func textBytes() throws(MalformedBytes) -> Range<Int> {
        guard try byte() == 3 else { throw MalformedBytes() }
        return try take(count())
    }

    /// Reads bytes that are preceded by their number.
    package mutating func blob() throws(MalformedBytes) -> [UInt8] { Array(bytes[try take(count())]) }

    package mutating func value() throws(MalformedBytes) -> Value {
        switch try byte() {
        case 0: return .null
        case 1:
            let number = try number()
            return .integer(Int64(bitPattern: number &>> 1) ^ -Int64(bitPattern: number & 1))
        case 2:
            let real = Double(bitPattern: try fixed())
            guard real.isFinite else { throw MalformedBytes() }
            return .real(real)
        case 3: return .text(try text())
        case 4: return .blob(try blob())
        case 5: return .id(try id())
        default: throw MalformedBytes()
        }
    }

    private mutating func take(_ count: Int) throws(MalformedBytes) -> Range<Int> {
        guard count <= end - place else { throw MalformedBytes() }
        defer { place += count }
        return place..<place + count
    }
}
