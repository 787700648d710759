#if Postgres
internal import LarderData
internal import LarderInfrastructure

/// The values of a statement in the binary form of the protocol.
struct PostgresParameters {
    private var bytes: [UInt8] = []
    private var ranges: [Range<Int>?] = []

    init(_ values: [Value]) {
        ranges.reserveCapacity(values.count)
        for value in values {
            guard value != .null else {
                ranges.append(nil)
                continue
            }
            let start = bytes.count
            value.appendBinary(to: &bytes)
            ranges.append(start..<bytes.count)
        }
        // An empty value has an address, which distinguishes it from `NULL`.
        bytes.append(0)
    }

    var count: Int32 { Int32(truncatingIfNeeded: ranges.count) }

    /// Lends the addresses and lengths of the values, and their formats, which are all binary.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBytes { bytes in
            let addresses = unsafe ranges.map { range in
                unsafe range.flatMap { unsafe bytes.baseAddress?.advanced(by: $0.lowerBound) }?
                    .assumingMemoryBound(to: CChar.self)
            }
            let lengths = ranges.map { Int32(truncatingIfNeeded: $0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: ranges.count)
            return unsafe addresses.withUnsafeBufferPointer { addresses in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(addresses.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
#endif
