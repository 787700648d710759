/// The lines of a file or of standard input, without their ends (`\n` or `\r\n`) and without a byte order mark.
public struct LineReader {
    /// One line.
    public struct Line: Sendable, Equatable {
        /// From 1.
        public let number: Int
        /// Its bytes.
        public let bytes: [UInt8]

        /// Describes a line.
        public init(number: Int, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }

        /// Whether there is nothing in it but spaces and tabs.
        public var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
    }

    /// The longest line that is read: 64 MiB.
    public static let maximumLength = 64 << 20

    private let reader: ByteReader
    private let path: String
    private var buffer: [UInt8] = []
    private var position = 0
    private var number = 0
    private var isAtEnd = false

    /// Opens a file; `-` stands for standard input.
    public init(path: String) throws(InputError) {
        self.path = path
        reader = try ByteReader(path: path)
    }

    /// See ``ByteReader/progress``.
    public var progress: Double? { reader.progress }

    /// The next line; `nil` at the end.
    ///
    /// - Throws: `InputError` when reading fails, or a line is longer than ``maximumLength``.
    public mutating func next() throws(InputError) -> Line? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) { return line(until: end, next: end + 1) }
            if isAtEnd { return position < buffer.count ? line(until: buffer.count, next: buffer.count) : nil }
            searched = try readMore()
        }
    }

    /// Reads another piece, and says from where it has to be searched for the end of the line.
    private mutating func readMore() throws(InputError) -> Int {
        buffer.removeSubrange(..<position)
        position = 0
        let searched = buffer.count
        let bytes = try reader.read()
        isAtEnd = bytes.isEmpty
        buffer += bytes
        guard buffer.count - position <= Self.maximumLength else {
            throw InputError(
                path: path, reason: "line \(number + 1) is longer than \(Self.maximumLength >> 20) MiB", isTooLong: true
            )
        }
        return searched
    }

    private mutating func line(until end: Int, next: Int) -> Line {
        var bytes = buffer[position..<end]
        if bytes.last == 0x0D { bytes = bytes.dropLast() }
        if number == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        position = next
        number += 1
        return Line(number: number, bytes: Array(bytes))
    }
}
