/// Finds the end of a request's head, and checks the request line (RFC 9112, section 3), because the parser accepts
/// other forms too: `RTSP/1.0`, or several spaces.
struct HeadScanner {
    /// Longer lines are passed to the parser, which refuses them.
    private static let longestLine = 128 << 10

    private var line: [UInt8] = []
    private var isLineComplete: Bool
    /// The number of matched bytes of LF CR LF.
    private var matched = 0

    /// The number of received bytes of the request line.
    private(set) var lineLength = 0
    /// Whether the received part of the request line is valid.
    private(set) var isWellFormed = true

    /// - Parameter inBody: Whether the input is a chunked body, which has the same end as a head, but no request line.
    init(inBody: Bool = false) {
        isLineComplete = inBody
    }

    /// Scans bytes of a head or of a chunked body.
    ///
    /// Not inlined in the handler, where an access to the handler's property would be checked for each byte.
    ///
    /// - Returns: The number of bytes up to the first possible end; all bytes if there is none.
    @inline(never)
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
        // Empty lines before a request are ignored (RFC 9112, section 2.2).
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

    /// Whether a line is `METHOD target HTTP/1.1`, with one space between the parts.
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
