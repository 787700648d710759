/// The lines of a file or of standard input, without line endings (`\n` or `\r\n`) and without a byte order mark.
public struct LineReader {
    /// A line of the file.
    public typealias Line = LineCutter.Line

    /// The maximum length of a line: 64 MiB.
    public static let maximumLength = 64 << 20

    private let reader: ByteReader
    private let path: String
    private var cutter = LineCutter(maximumLength: maximumLength)
    private var isAtEnd = false

    /// Opens a file; `-` means standard input.
    public init(path: String) throws(InputError) {
        self.path = path
        reader = try ByteReader(path: path)
    }

    /// See ``ByteReader/progress``.
    public var progress: Double? { reader.progress }

    /// The next line; `nil` at the end.
    ///
    /// - Throws: `InputError` when reading fails, or a line exceeds ``maximumLength``.
    public mutating func next() throws(InputError) -> Line? {
        while true {
            switch cutter.next() {
            case .line(let line): return line
            case .tooLong(let number):
                throw InputError(
                    path: path, reason: "line \(number) is longer than \(Self.maximumLength >> 20) MiB",
                    isTooLong: true)
            case nil where isAtEnd: return nil
            case nil:
                let bytes = try reader.read()
                isAtEnd = bytes.isEmpty
                if isAtEnd { cutter.end() } else { cutter.append(bytes) }
            }
        }
    }
}
