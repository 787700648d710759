internal import LarderData
internal import LarderDomain

/// Bytes that are no record of the kind that was expected.
struct MalformedRecord: Error {}

/// Reads what ``RecordWriter`` wrote; whatever bytes there are, it neither traps nor allocates more than they are.
struct RecordReader {
    private let bytes: [UInt8]
    private var place: Int
    private let end: Int

    /// Reads a range, which must lie in the bytes.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { place == end }

    /// What is left to read.
    var rest: ArraySlice<UInt8> { bytes[place..<end] }

    mutating func byte() throws(MalformedRecord) -> UInt8 {
        guard place < end else { throw MalformedRecord() }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func fixed(bytes count: Int = 8) throws(MalformedRecord) -> UInt64 {
        let range = try take(count)
        return bytes.number(at: range.lowerBound, bytes: count)
    }

    mutating func number() throws(MalformedRecord) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try byte()
            if shift == 63, byte > 1 { throw MalformedRecord() }
            number |= UInt64(byte & 0x7F) &<< shift
            if byte & 0x80 == 0 { return number }
        }
        throw MalformedRecord()
    }

    /// A number that is not negative.
    mutating func count() throws(MalformedRecord) -> Int {
        guard let count = Int(exactly: try number()) else { throw MalformedRecord() }
        return count
    }

    /// How many follow, each of at least one byte: so many could be there.
    mutating func countOfItems() throws(MalformedRecord) -> Int {
        let count = try count()
        guard count <= end - place else { throw MalformedRecord() }
        return count
    }

    mutating func id() throws(MalformedRecord) -> RawID { RawID(high: try fixed(), low: try fixed()) }

    mutating func text() throws(MalformedRecord) -> String {
        let range = try take(count())
        guard let text = String(validating: bytes[range], as: UTF8.self) else { throw MalformedRecord() }
        return text
    }

    mutating func value() throws(MalformedRecord) -> Value {
        switch try byte() {
        case 0: return .null
        case 1:
            let number = try number()
            return .integer(Int64(bitPattern: number &>> 1) ^ -Int64(bitPattern: number & 1))
        case 2:
            let real = Double(bitPattern: try fixed())
            guard real.isFinite else { throw MalformedRecord() }
            return .real(real)
        case 3: return .text(try text())
        case 4: return .blob(Array(bytes[try take(count())]))
        case 5: return .id(try id())
        default: throw MalformedRecord()
        }
    }

    private mutating func take(_ count: Int) throws(MalformedRecord) -> Range<Int> {
        guard count <= end - place else { throw MalformedRecord() }
        defer { place += count }
        return place..<place + count
    }
}
