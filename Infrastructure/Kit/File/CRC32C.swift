/// CRC-32C: the cyclic redundancy check with the Castagnoli polynomial 0x1EDC6F41, reflected, of RFC 3720 (iSCSI).
///
/// Detects every error burst of up to 32 bits, and any other error with a probability of 1 - 2^-32.
struct CRC32C {
    private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0x82F6_3B78 : rest >> 1 }
    }

    let value: UInt32

    /// The checksum of some ranges, one after the other.
    init(_ bytes: [UInt8], _ ranges: Range<Int>...) {
        var rest = UInt32.max
        for range in ranges {
            precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe Self.table.withUnsafeBufferPointer { table in
                    // In bounds because of the precondition. With arrays, a debug build takes ten times as long.
                    guard let bytes = bytes.baseAddress, let table = table.baseAddress else { return }
                    var place = range.lowerBound
                    while place < range.upperBound {
                        rest = unsafe rest &>> 8 ^ table[Int(truncatingIfNeeded: (rest ^ UInt32(bytes[place])) & 0xFF)]
                        place &+= 1
                    }
                }
            }
        }
        value = ~rest
    }
}
