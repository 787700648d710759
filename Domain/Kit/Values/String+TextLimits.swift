extension String {
    /// The maximum number of successive combining marks: the bound of the Stream-Safe Text Format (UAX 15).
    public static var longestCombiningRun: Int { 30 }

    /// Whether the text has more than ``longestCombiningRun`` successive combining marks. No language needs that;
    /// normalizing or comparing such a text can take quadratic time.
    ///
    /// - Complexity: O(*n*).
    public var hasLongCombiningRun: Bool {
        if isBelowCombiningMarks { return false }
        var run = 0
        for scalar in unicodeScalars {
            guard scalar.value >= 0x300 else {
                run = 0
                continue
            }
            run = scalar.isCombining ? run + 1 : 0
            if run > Self.longestCombiningRun { return true }
        }
        return false
    }

    /// Whether all code points are below U+0300, the first combining mark, whose first byte is 0xCC. Such a text is in
    /// NFC, because no two of its code points compose.
    var isBelowCombiningMarks: Bool {
        let isBelow = unsafe utf8.withContiguousStorageIfAvailable { text in
            let bytes = UnsafeRawBufferPointer(text)
            let whole = bytes.count & ~7
            // A byte of at least 0xCC has the highest bit, and its other bits plus 0x34 carry into it.
            for offset in stride(from: 0, to: whole, by: 8) {
                let eight = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let carried = (eight & 0x7F7F_7F7F_7F7F_7F7F) + 0x3434_3434_3434_3434
                if carried & eight & 0x8080_8080_8080_8080 != 0 { return false }
            }
            return unsafe bytes[whole...].allSatisfy { $0 < 0xCC }
        }
        return isBelow ?? utf8.allSatisfy { $0 < 0xCC }
    }

    /// Whether the text contains U+0000.
    var containsNUL: Bool {
        let contains = unsafe utf8.withContiguousStorageIfAvailable { text in
            let bytes = UnsafeRawBufferPointer(text)
            let whole = bytes.count & ~7
            for offset in stride(from: 0, to: whole, by: 8) {
                let eight = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // Without a zero, no byte borrows: only a byte below 0x81 then gets the highest bit, and loses it again.
                if (eight &- 0x0101_0101_0101_0101) & ~eight & 0x8080_8080_8080_8080 != 0 { return true }
            }
            return unsafe bytes[whole...].contains(0)
        }
        return contains ?? utf8.contains(0)
    }

    /// The text in NFC, for a field with a maximum length.
    ///
    /// The length is the number of Unicode code points of the normalized text, as in JSON Schema's `maxLength`; each
    /// takes at most four bytes in UTF-8. A text that is much too long is rejected by its number of bytes, before any
    /// other work.
    ///
    /// - Throws: `TextRefusal`.
    /// - Complexity: O(*n*).
    public func composed(atMost limit: Int) throws(TextRefusal) -> String {
        let size = utf8.count
        // No code point of the normalized form takes more than 12 bytes in another form.
        guard size <= limit * 12 else { throw .tooLong(limit: limit) }
        guard !hasLongCombiningRun else { throw .tooManyCombiningMarks }
        let composed = shortRunsComposed
        guard size <= limit || composed.unicodeScalars.count <= limit else { throw .tooLong(limit: limit) }
        return composed
    }
}

/// The reason why a field rejects a text.
public enum TextRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// More code points than the field accepts.
    case tooLong(limit: Int)
    /// See ``Swift/String/hasLongCombiningRun``.
    case tooManyCombiningMarks

    /// The violated rule, as a predicate of the field.
    public var description: String {
        switch self {
        case .tooLong(let limit): "must have at most \(limit) characters"
        case .tooManyCombiningMarks:
            "must not have more than \(String.longestCombiningRun) successive combining marks"
        }
    }
}

extension Unicode.Scalar {
    /// Whether the canonical decomposition starts with a combining mark. Three Tibetan vowel signs have the combining
    /// class 0, although they decompose into marks only. All scalars from U+0300 to U+034E are combining marks, so the
    /// frequent marks need no table lookup.
    fileprivate var isCombining: Bool {
        if (0x300...0x34E).contains(value) { return true }
        return properties.canonicalCombiningClass != .notReordered || value == 0xF73 || value == 0xF75 || value == 0xF81
    }
}
