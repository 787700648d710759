/// Splits bytes that arrive in chunks of any size into lines, without line endings (`\n` or `\r\n`) and without a
/// leading byte order mark. It buffers at most a line and the last chunk.
///
/// - Complexity: Each byte is scanned once, for any size of chunks.
public struct LineCutter: Sendable {
    /// A line of the input.
    public struct Line: Sendable, Equatable {
        /// Its number, from 1.
        public let number: Int
        /// Its bytes, without the line ending.
        public let bytes: [UInt8]

        /// Creates a line.
        public init(number: Int, bytes: [UInt8]) {
            (self.number, self.bytes) = (number, bytes)
        }

        /// Whether it contains only spaces and tabs.
        public var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
    }

    /// A line, or its refusal.
    public enum Cut: Sendable, Equatable {
        /// A line of at most the maximum length.
        case line(Line)
        /// The start of a line that exceeds the maximum. Its bytes are discarded, and the rest of it will be skipped.
        case tooLong(number: Int)
    }

    private let maximumLength: Int
    private var buffer: [UInt8] = []
    private var position = 0
    /// The length of the prefix without a line ending.
    private var searched = 0
    private var number = 0
    private var isPassingOver = false
    private var isAtEnd = false

    /// - Parameter maximumLength: The maximum bytes of a line, without its line ending.
    public init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Appends the next chunk, after ``next()`` has returned all lines of the preceding ones.
    public mutating func append(_ bytes: [UInt8]) {
        if position > 0 {
            buffer.removeSubrange(..<position)
            searched -= position
            position = 0
        }
        guard isPassingOver else { return buffer.append(contentsOf: bytes) }
        guard let end = bytes.firstIndex(of: 0x0A) else { return }
        isPassingOver = false
        buffer.append(contentsOf: bytes[(end + 1)...])
    }

    /// Ends the input, so that the remaining bytes are the last line.
    public mutating func end() {
        isAtEnd = true
    }

    /// The next line; `nil` if more bytes are needed, or at the end.
    public mutating func next() -> Cut? {
        let end = buffer[searched...].firstIndex(of: 0x0A)
        searched = end ?? buffer.count
        guard end != nil || isAtEnd && position < buffer.count || searched - position > maximumLength + 1 else {
            return nil
        }
        number += 1
        var line = buffer[position..<searched]
        if line.last == 0x0D, end != nil || isAtEnd { line = line.dropLast() }
        isPassingOver = end == nil && !isAtEnd
        position = end.map { $0 + 1 } ?? buffer.count
        searched = position
        guard line.count <= maximumLength else { return .tooLong(number: number) }
        if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        return .line(Line(number: number, bytes: Array(line)))
    }
}
