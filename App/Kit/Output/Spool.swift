/// Bytes that are put by while a request is still being read, and sent when it has been: 64 KiB of them in memory, what
/// is more in a temporary file that nobody else can open.
///
/// Writing and reading do not leave the caller's thread. A piece has 64 KiB and is never synced, so that each call is a
/// copy into or out of the system's memory, a few microseconds, less than it costs to hand it to another thread.
public struct Spool: Sendable {
    /// What is written or read at once: 64 KiB.
    public static let pieceSize = 64 << 10

    private let limit: Int
    private var tail: [UInt8] = []
    private var written = 0
    private var file: TemporaryFile?

    /// Makes an empty spool.
    ///
    /// - Parameter limit: The most bytes that it takes.
    public init(limit: Int) {
        self.limit = limit
    }

    /// How many bytes are in it.
    public var count: Int { written + tail.count }

    /// How many of them are in memory.
    public var bytesInMemory: Int { tail.count }

    /// Puts bytes by.
    ///
    /// - Throws: ``SpoolError`` when they go beyond the limit, or cannot be written.
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

    /// The bytes from an offset on, at most so many; none at the end.
    ///
    /// - Throws: ``SpoolError`` when they cannot be read.
    public func read(from offset: Int, atMost limit: Int = pieceSize) throws(SpoolError) -> [UInt8] {
        guard offset < written, let file else {
            return Array(tail.dropFirst(max(0, offset - written)).prefix(limit))
        }
        let bytes = try file.read(at: offset, atMost: min(limit, written - offset))
        // The file has lost its end to somebody with great powers.
        guard !bytes.isEmpty else { throw .failed("the file is shorter than it was") }
        return bytes
    }
}

/// Bytes that could not be put by, or not be had back.
public enum SpoolError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There would be more than the limit.
    case full(limit: Int)
    /// The system's reason.
    case failed(String)

    public var description: String {
        switch self {
        case .full(let limit): "more than \(limit) bytes were to be put by"
        case .failed(let reason): "the temporary file cannot be used: \(reason)"
        }
    }
}
