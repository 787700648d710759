internal import LarderApp
internal import NIOCore
private import Synchronization

/// One temporary file for many values, in blocks of 64 KiB that are reused. It exists while a block is in use.
///
/// All values share one file, because a process can open a limited number of files, and each connection is one.
final class SpillFile: Sendable {
    /// The size of a block: 64 KiB.
    static let blockBytes = 64 << 10

    /// The location of one value.
    struct Extent: Sendable {
        fileprivate let file: TemporaryFile
        fileprivate let blocks: [Int]
        fileprivate let count: Int

        /// Reads up to `limit` bytes from an offset, within one block.
        func read(from offset: Int, atMost limit: Int) throws(SpoolError) -> [UInt8] {
            let (block, start) = offset.quotientAndRemainder(dividingBy: blockBytes)
            let length = min(limit, blockBytes - start, count - offset)
            let bytes = try file.read(at: blocks[block] * blockBytes + start, atMost: length)
            guard !bytes.isEmpty else { throw .failed("the file was truncated") }
            return bytes
        }
    }

    private struct State {
        var file: TemporaryFile?
        var free: [Int] = []
        /// The number of blocks in the file.
        var count = 0

        var used: Int { count - free.count }

        mutating func free(_ blocks: [Int]) {
            free += blocks
            // Closes the file, which has no name, so that its disk space is freed.
            if used == 0 { self = State() }
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum size of all blocks in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// The size of the blocks in use, in bytes.
    var usedBytes: Int { state.withLock { $0.used } * Self.blockBytes }

    func write(_ buffer: ByteBuffer) throws(SpoolError) -> Extent {
        let extent = try reserve(buffer.readableBytes)
        var rest = buffer
        do throws(SpoolError) {
            for block in extent.blocks {
                let piece = rest.readBytes(length: min(Self.blockBytes, rest.readableBytes)) ?? []
                try extent.file.write(piece, at: block * Self.blockBytes)
            }
        } catch {
            free(extent)
            throw error
        }
        return extent
    }

    func free(_ extent: Extent) {
        state.withLock { $0.free(extent.blocks) }
    }

    private func reserve(_ bytes: Int) throws(SpoolError) -> Extent {
        let needed = (bytes + Self.blockBytes - 1) / Self.blockBytes
        return try state.withLock { state throws(SpoolError) in
            guard state.used + needed <= limit / Self.blockBytes else { throw .full(limit: limit) }
            let file = if let file = state.file { file } else { try TemporaryFile() }
            state.file = file
            var blocks: [Int] = []
            while blocks.count < needed {
                if let block = state.free.popLast() {
                    blocks.append(block)
                } else {
                    blocks.append(state.count)
                    state.count += 1
                }
            }
            return Extent(file: file, blocks: blocks, count: bytes)
        }
    }
}
