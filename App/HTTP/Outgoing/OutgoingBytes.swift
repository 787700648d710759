public import LarderApp
public import NIOCore

/// Stores response bodies until their clients have read them: a bounded number of bytes in memory, the rest in the
/// temporary file of the service. Clients that do not read therefore cost disk space, but no memory.
public final class OutgoingBytes: Sendable {
    /// The maximum number of bytes in one write to a connection: 8 KiB, the high water mark at which a connection stops
    /// its writer (`WriteBufferWaterMark`). Without a reading client, a connection has two pieces in memory: one that
    /// it accepted, and one that waits. Smaller bodies are in memory and not counted, because a connection may use that
    /// much anyway.
    public static let pieceBytes = 8 << 10

    private let memory: WorkGate
    /// The file of the bytes that are not in memory.
    public let file: SpoolFile

    /// Makes an empty storage. One known caller gets at most a quarter of the memory and of the file's share, and all
    /// anonymous callers together half.
    ///
    /// - Parameters:
    ///   - memory: The maximum number of bytes in memory, without bodies of one piece.
    ///   - file: The file of the rest, in its share for responses.
    public init(memory: Int = 16 << 20, file: SpoolFile = SpoolFile()) {
        self.memory = WorkGate(memory, perCaller: memory / 4, anonymous: memory / 2)
        self.file = file
    }

    /// The bytes in memory, without bodies of one piece.
    public var bytesInMemory: Int { memory.used }

    /// The bytes of the temporary file that are in use for responses.
    public var bytesInFile: Int { file.usedBytes(for: .responses) }

    /// Stores bytes until they are released.
    ///
    /// The file is written on the caller's thread, as in `Spool`.
    ///
    /// - Parameters:
    ///   - buffer: The bytes.
    ///   - caller: The key of the client; `nil` for an anonymous one.
    /// - Throws: `SpoolError` if the caller's shares of memory and file are full, or the file cannot be written.
    /// - Complexity: O(*n*) if the file is needed, otherwise O(1).
    public func hold(
        _ buffer: ByteBuffer, for caller: String? = WorkCaller.current
    ) throws(SpoolError) -> OutgoingBody {
        let count = buffer.readableBytes
        guard count > Self.pieceBytes else { return OutgoingBody(.uncounted(buffer), count: count) }
        if let claim = try? memory.claim(count, for: caller) {
            return OutgoingBody(.memory(buffer, claim), count: count)
        }
        var spool = Spool(limit: count, in: file, for: .responses, caller: caller)
        var rest = buffer
        while let piece = rest.readBytes(length: min(Spool.pieceSize, rest.readableBytes)), !piece.isEmpty {
            try spool.append(piece)
        }
        try spool.close()
        return OutgoingBody(.file(spool), count: count)
    }
}
