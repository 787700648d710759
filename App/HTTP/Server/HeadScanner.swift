/// Finds the end of a request's head, and checks its first line (RFC 9112, section 3), which the parser takes in other
/// forms too: as `RTSP/1.0`, or with several blanks.
struct HeadScanner {
    /// Longer lines are left to the parser, which refuses them.
    private static let longestLine = 128 << 10

    private var line: [UInt8] = []
    private var isLineComplete: Bool
    /// How many bytes of LF CR LF were the last.
    private var matched = 0

    /// The bytes of the first line so far.
    private(set) var lineLength = 0
    /// Whether the first line, as far as it is known, may be one of HTTP.
    private(set) var isWellFormed = true

    /// - Parameter inBody: Whether what comes is a body in chunks, which ends as a head does, but without a first line.
    init(inBody: Bool = false) {
        isLineComplete = inBody
    }

    /// Takes the bytes of a head or of a body in chunks.
    ///
    /// - Returns: How many there are up to its possible end; all where it does not end in them.
    mutating func scan(_ bytes: some Collection<UInt8>) -> Int {
        var count = 0
        for byte in bytes {
            count += 1
            if !isLineComplete {
                takeOfLine(byte)
                continue
            }
            switch (matched, byte) {
            case (2, 0x0a):
                matched = 1
                return count
            case (1, 0x0d): matched = 2
            case (_, 0x0a): matched = 1
            default: matched = 0
            }
        }
        return count
    }

    private mutating func takeOfLine(_ byte: UInt8) {
        // Empty lines before a request are passed over (RFC 9112, section 2.2).
        if line.isEmpty, byte == 0x0d || byte == 0x0a { return }
        guard byte == 0x0a else {
            lineLength += 1
            if line.count < Self.longestLine { line.append(byte) }
            return
        }
        isLineComplete = true
        matched = 1
        isWellFormed = line.count == Self.longestLine || Self.isRequestLine(line[...])
        line = []
    }

    /// Whether a line is `METHOD target HTTP/1.1`, with one blank between its parts.
    private static func isRequestLine(_ line: ArraySlice<UInt8>) -> Bool {
        let line = line.last == 0x0d ? line.dropLast() : line
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, parts[2].count == 8 else { return false }
        let version = Array(parts[2])
        let digits: ClosedRange<UInt8> = 0x30...0x39
        return version.starts(with: Array("HTTP/".utf8)) && digits.contains(version[5]) && version[6] == 0x2e
            && digits.contains(version[7])
    }
}
