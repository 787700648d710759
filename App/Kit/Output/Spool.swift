/// A buffer for bytes that are sent after a request has been read, or that a client has not read: the last 64 KiB in
/// memory, the rest in a ``SpoolFile``.
///
/// Writing and reading stay on the caller's thread. A chunk has 64 KiB and is never synced, so that each call copies
/// memory to or from the system in a few microseconds, less than a switch to another thread costs.
public struct Spool: Sendable {
    /// The size of one write or read: 64 KiB.
    public static let pieceSize = SpoolFile.blockBytes

    private var limit: Int
    private let file: SpoolFile
    private let purpose: SpoolFile.Purpose
    private let caller: String?
    private var tail: [UInt8] = []
    private var written = 0
    private var blocks: SpoolBlocks?

    /// Creates an empty spool.
    ///
    /// - Parameters:
    ///   - limit: The capacity in bytes.
    ///   - file: The file of the bytes that are not in memory.
    ///   - purpose: The share of the file.
    ///   - caller: The key of the caller to whose share the bytes count; `nil` for an anonymous one.
    public init(
        limit: Int, in file: SpoolFile = SpoolFile.current, for purpose: SpoolFile.Purpose = .bodies,
        caller: String? = WorkCaller.current
    ) {
        (self.limit, self.file, self.purpose, self.caller) = (limit, file, purpose, caller)
    }

    /// The number of bytes.
    public var count: Int { written + tail.count }

    /// The number of bytes in memory.
    public var bytesInMemory: Int { tail.count }

    /// Appends bytes.
    ///
    /// - Throws: ``SpoolError`` when they exceed the limit or a share, or cannot be written. Of at most 64 KiB, nothing is
    ///   then appended.
    public mutating func append(_ bytes: [UInt8]) throws(SpoolError) {
        guard bytes.count <= limit - count else { throw .full(limit: limit) }
        var rest = bytes[...]
        while tail.count + rest.count >= Self.pieceSize {
            let piece = rest.prefix(Self.pieceSize - tail.count)
            try write(tail + piece)
            rest = rest.dropFirst(piece.count)
        }
        tail += rest
    }

    /// Moves the bytes in memory to the file. Nothing can be appended afterwards.
    ///
    /// - Throws: ``SpoolError`` when they exceed a share, or cannot be written.
    public mutating func close() throws(SpoolError) {
        if !tail.isEmpty { try write(tail) }
        limit = 0
    }

    private mutating func write(_ bytes: [UInt8]) throws(SpoolError) {
        let blocks = if let blocks { blocks } else { try SpoolBlocks(in: file, for: purpose, caller) }
        self.blocks = blocks
        try blocks.append(bytes)
        written += bytes.count
        tail.removeAll(keepingCapacity: limit > 0)
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
        guard offset < written, let blocks else {
            return Array(tail.dropFirst(max(0, offset - written)).prefix(limit))
        }
        return try blocks.read(from: offset, atMost: min(limit, written - offset))
    }
}

/// An error of writing or reading a spool.
public enum SpoolError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The bytes would exceed the limit.
    case full(limit: Int)
    /// The bytes would exceed a share of the file.
    case noSpace(WorkRefusal)
    /// The system's error message.
    case failed(String)

    public var description: String {
        switch self {
        case .full(let limit): "the limit of \(limit) bytes is exceeded"
        case .noSpace(.process): "all space for temporary data is in use"
        case .noSpace(.anonymous): "callers without a token have used their space for temporary data"
        case .noSpace(.caller): "the caller has used its space for temporary data"
        case .failed(let reason): "the temporary file cannot be used: \(reason)"
        }
    }
}
