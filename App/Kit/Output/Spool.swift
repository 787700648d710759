/// A buffer for bytes that are sent after a request has been read: the last 64 KiB in memory, the rest in a private
/// temporary file.
///
/// Writing and reading stay on the caller's thread. A chunk has 64 KiB and is never synced, so that each call copies
/// memory to or from the system in a few microseconds, less than a switch to another thread costs.
public struct Spool: Sendable {
    /// The size of one write or read: 64 KiB.
    public static let pieceSize = 64 << 10

    private let limit: Int
    private var tail: [UInt8] = []
    private var written = 0
    private var file: TemporaryFile?

    /// Creates an empty spool.
    ///
    /// - Parameter limit: The capacity in bytes.
    public init(limit: Int) {
        self.limit = limit
    }

    /// The number of bytes.
    public var count: Int { written + tail.count }

    /// The number of bytes in memory.
    public var bytesInMemory: Int { tail.count }

    /// Appends bytes.
    ///
    /// - Throws: ``SpoolError`` when they exceed the limit or cannot be written.
    public mutating func append(_ bytes: [UInt8]) throws(SpoolError) {
        guard bytes.count <= limit - count else { throw .full(limit: limit) }
        tail += bytes
        guard tail.count >= Self.pieceSize else { return }
        if file == nil { file = try TemporaryFile() }
        try file?.write(tail, at: written)
        written += tail.count
        tail.removeAll(keepingCapacity: true)
    }

    /// - Throws: ``SpoolError`` when they cannot be read.
    public func bytes() throws(SpoolError) -> [UInt8] {
        guard written > 0 else { return tail }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes += try read(from: bytes.count) }
        return bytes
    }

    /// At most `limit` bytes from an offset; empty at the end.
    ///
    /// - Throws: ``SpoolError`` when they cannot be read.
    public func read(from offset: Int, atMost limit: Int = pieceSize) throws(SpoolError) -> [UInt8] {
        guard offset < written, let file else {
            return Array(tail.dropFirst(max(0, offset - written)).prefix(limit))
        }
        let bytes = try file.read(at: offset, atMost: min(limit, written - offset))
        // A privileged process has truncated the file.
        guard !bytes.isEmpty else { throw .failed("the file was truncated") }
        return bytes
    }
}

/// An error of writing or reading a spool.
public enum SpoolError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The bytes would exceed the limit.
    case full(limit: Int)
    /// The system's error message.
    case failed(String)

    public var description: String {
        switch self {
        case .full(let limit): "the limit of \(limit) bytes is exceeded"
        case .failed(let reason): "the temporary file cannot be used: \(reason)"
        }
    }
}
