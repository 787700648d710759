internal import LarderDomain

/// Writes values as bytes, integers big-endian, everything of variable length after its length.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ word: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    mutating func append(_ id: RawID) {
        append(id.high)
        append(id.low)
    }

    mutating func append(_ value: Value) {
        switch value {
        case .null: append(UInt8(0))
        case .integer(let integer):
            append(UInt8(1))
            append(UInt64(bitPattern: integer))
        case .real(let real):
            append(UInt8(2))
            append(real.bitPattern)
        case .text(let text):
            append(UInt8(3))
            append(counted: text.utf8)
        case .blob(let blob):
            append(UInt8(4))
            append(counted: blob)
        case .id(let id):
            append(UInt8(5))
            append(id)
        }
    }

    private mutating func append(counted content: some Collection<UInt8>) {
        append(UInt64(content.count))
        bytes += content
    }
}

/// Reads what ``ByteWriter`` wrote; every method is `nil` where the bytes are not of its form, and none traps.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func word() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func id() -> RawID? {
        guard let high = word(), let low = word() else { return nil }
        return RawID(high: high, low: low)
    }

    mutating func value() -> Value? {
        switch byte() {
        case 0: .null
        case 1: word().map { .integer(Int64(bitPattern: $0)) }
        case 2: word().map(Double.init(bitPattern:)).flatMap { $0.isFinite ? .real($0) : nil }
        case 3: counted().flatMap { String(validating: $0, as: UTF8.self) }.map(Value.text)
        case 4: counted().map { .blob(Array($0)) }
        case 5: id().map(Value.id)
        default: nil
        }
    }

    private mutating func counted() -> ArraySlice<UInt8>? {
        guard let count = word(), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
