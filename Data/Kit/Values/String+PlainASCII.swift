extension String {
    /// Whether it is of ASCII without U+0000, looked at in words of eight bytes: such a text is stored as it is.
    @usableFromInline var isPlainASCII: Bool {
        unsafe utf8.withContiguousStorageIfAvailable { bytes in
            let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
            let raw = UnsafeRawBufferPointer(bytes)
            var offset = 0
            while offset &+ 8 <= raw.count {
                let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // A top bit is set in a byte that is not ASCII, or becomes set by the borrow of one that is 0.
                if (word | (word &- ones)) & tops != 0 { return false }
                offset &+= 8
            }
            return unsafe raw[offset...].allSatisfy { $0 != 0 && $0 < 0x80 }
        } ?? false
    }
}
