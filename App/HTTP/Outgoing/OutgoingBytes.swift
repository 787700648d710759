public import LarderApp
public import NIOCore
private import Synchronization

/// Stores response bodies until their clients have read them: a bounded number of bytes in memory, the rest in one
/// temporary file. Clients that do not read therefore cost disk space, but no memory.
public final class OutgoingBytes: Sendable {
    /// The maximum number of bytes in one write to a connection: 8 KiB, the high water mark at which a connection stops
    /// its writer (`WriteBufferWaterMark`). Without a reading client, a connection has two pieces in memory: one that
    /// it accepted, and one that waits. Smaller bodies are in memory and not counted, because a connection may use that
    /// much anyway.
    public static let pieceBytes = 8 << 10

    private let memoryLimit: Int
    private let usedMemory = Atomic(0)
    private let file: SpillFile

    /// Makes an empty storage.
    ///
    /// - Parameters:
    ///   - memory: The maximum number of bytes in memory, without bodies of one piece.
    ///   - file: The maximum number of bytes in the temporary file, which exists while it is needed.
    public init(memory: Int = 8 << 20, file: Int = 1 << 30) {
        memoryLimit = memory
        self.file = SpillFile(limit: file)
    }

    /// The bytes in memory, without bodies of one piece.
    public var bytesInMemory: Int { usedMemory.load(ordering: .relaxed) }

    /// The bytes of the temporary file that are in use.
    public var bytesInFile: Int { file.usedBytes }

    /// Stores bytes until they are released.
    ///
    /// The file is written on the caller's thread, as in ``Spool``.
    ///
    /// - Throws: ``SpoolError`` if memory and file are full, or the file cannot be written.
    /// - Complexity: O(*n*) if the file is needed, otherwise O(1).
    public func hold(_ buffer: ByteBuffer) throws(SpoolError) -> OutgoingBody {
        let count = buffer.readableBytes
        guard count > Self.pieceBytes else { return OutgoingBody(.uncounted(buffer), count: count, in: self) }
        if usedMemory.add(count, ordering: .relaxed).newValue <= memoryLimit {
            return OutgoingBody(.memory(buffer), count: count, in: self)
        }
        usedMemory.subtract(count, ordering: .relaxed)
        return OutgoingBody(.file(try file.write(buffer)), count: count, in: self)
    }

    func release(_ place: OutgoingBody.Place, count: Int) {
        switch place {
        case .uncounted: return
        case .memory: usedMemory.subtract(count, ordering: .relaxed)
        case .file(let extent): file.free(extent)
        }
    }
}
