#if Postgres
internal import LarderData
internal import LarderInfrastructure

extension [Value] {
    /// Lends the addresses and lengths of the values of a statement in the binary form of the protocol, and their formats,
    /// which are all binary.
    func withParameters<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        var bytes: [UInt8] = []
        let ranges = map { value in
            let start = bytes.count
            value.appendBinary(to: &bytes)
            return start..<bytes.count
        }
        // An empty value has an address, which distinguishes it from `NULL`.
        bytes.append(0)
        let lengths = ranges.map { Int32(truncatingIfNeeded: $0.count) }
        let formats = [Int32](repeating: 1, count: count)
        return unsafe bytes.withUnsafeBytes { bytes in
            let addresses = unsafe zip(self, ranges).map { value, range in
                unsafe value == .null
                    ? nil
                    : bytes.baseAddress?.advanced(by: range.lowerBound).assumingMemoryBound(to: CChar.self)
            }
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
