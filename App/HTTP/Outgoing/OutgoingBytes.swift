public import LarderApp
public import NIOCore
private import Synchronization

/// Holds response bodies until their clients have read them: a bounded number of bytes in memory, the rest in one
/// temporary file. So clients that do not read cost disk space and no memory.
public final class OutgoingBytes: Sendable {
    /// The most bytes that are written to a connection at once: 8 KiB, as many as it takes before it stops its writer
    /// (`WriteBufferWaterMark`). A connection that is not read has two pieces in memory: one that it took, and one that
    /// waits. Smaller bodies are held in memory and not counted, because a connection may have one piece in memory anyway.
    public static let pieceBytes = 8 << 10

    private let memoryLimit: Int
    private let usedMemory = Atomic(0)
    private let file: SpillFile

    /// Makes an empty holder.
    ///
    /// - Parameters:
    ///   - memory: The most bytes in memory, without bodies of one piece.
    ///   - file: The most bytes in the temporary file, which exists while it is needed.
    public init(memory: Int = 8 << 20, file: Int = 1 << 30) {
        memoryLimit = memory
        self.file = SpillFile(limit: file)
    }

    /// The bytes in memory, without bodies of one piece.
    public var bytesInMemory: Int { usedMemory.load(ordering: .relaxed) }

    /// The bytes of the temporary file that are in use.
    public var bytesInFile: Int { file.usedBytes }

    /// Holds bytes until they are released.
    ///
    /// The file is written on the caller's thread, as in ``Spool``.
    ///
    /// - Throws: ``SpoolError`` when memory and file are full, or the file cannot be written.
    /// - Complexity: O(*n*) where the file is needed, otherwise O(1).
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
