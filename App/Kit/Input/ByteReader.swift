#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// Reads a file or standard input in chunks. Reading blocks, which a command-line tool may do.
public final class ByteReader {
    private let descriptor: Int32
    private let path: String
    /// The total size in bytes; `nil` if unknown.
    private let size: Int?
    private var count = 0

    /// Opens a file; `-` means standard input.
    ///
    /// - Throws: `InputError` when it cannot be opened.
    public init(path: String) throws(InputError) {
        self.path = path
        if path == "-" {
            descriptor = STDIN_FILENO
        } else {
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw InputError.last(path) }
        }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isKnown ? Int(status.st_size) : nil
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// The fraction of the file that has been read, from 0 to 1; `nil` if its size is unknown.
    public var progress: Double? {
        size.map { $0 == 0 ? 1 : min(1, Double(count) / Double($0)) }
    }

    /// The next bytes, at most 64 KiB; empty at the end.
    public func read() throws(InputError) -> [UInt8] {
        while true {
            var length = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, initialized in
                length = unsafe systemRead(descriptor, buffer.baseAddress, buffer.count)
                initialized = max(0, length)
            }
            if length >= 0 {
                count += length
                return bytes
            }
            guard errno == EINTR else { throw InputError.last(path) }
        }
    }
}

extension ByteReader {
    /// All remaining bytes.
    ///
    /// - Throws: `InputError` when reading fails, or when the bytes exceed the limit.
    public func readAll(atMost limit: Int) throws(InputError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try read()
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= limit else {
                throw InputError(path: path, reason: "it is larger than \(limit >> 20) MiB", isTooLong: true)
            }
        }
    }
}

/// Declared outside the class, where `read` means the function of the C library.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

/// An error of reading a file or standard input.
public struct InputError: Error, Sendable, CustomStringConvertible {
    /// The path of the file, `-` for standard input, or the name of another input.
    public let path: String
    /// The system's error message.
    public let reason: String
    /// Whether the file exists but exceeds the limit.
    public let isTooLong: Bool

    /// Creates an error, with the reason as the rest of its message.
    public init(path: String, reason: String, isTooLong: Bool = false) {
        (self.path, self.reason, self.isTooLong) = (path, reason, isTooLong)
    }

    fileprivate static func last(_ path: String) -> InputError {
        InputError(path: path, reason: unsafe String(cString: strerror(errno)))
    }

    public var description: String { "cannot read \(path): \(reason)" }
}
