/// CRC-32C: the cyclic redundancy check with the Castagnoli polynomial 0x1EDC6F41, reflected, of RFC 3720 (iSCSI).
///
/// Detects every error burst of up to 32 bits, and any other error with a probability of 1 - 2^-32.
struct CRC32C {
    private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0x82F6_3B78 : rest >> 1 }
    }

    private var state = UInt32.max

    var value: UInt32 { ~state }

    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        var rest = state
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
        state = rest
    }
}
