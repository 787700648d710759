private import Synchronization

/// The blocks of one spool, which are freed with the last reference.
final class SpoolBlocks: Sendable {
    private struct State {
        var file: TemporaryFile?
        var blocks: [Int] = []
    }

    private let owner: SpoolFile
    private let claim: WorkClaim
    private let state = Mutex(State())

    init(in owner: SpoolFile, for purpose: SpoolFile.Purpose, _ caller: String?) throws(SpoolError) {
        self.owner = owner
        do {
            claim = try owner.gate(purpose).claim(0, for: caller)
        } catch {
            throw .noSpace(error)
        }
    }

    deinit {
        owner.free(state.withLock { $0.blocks })
        claim.release()
    }

    /// Writes a full block, or the last one.
    func append(_ bytes: [UInt8]) throws(SpoolError) {
        do {
            try claim.grow(by: SpoolFile.blockBytes)
        } catch {
            throw .noSpace(error)
        }
        let (file, block) = try owner.takeBlock()
        do {
            try file.write(bytes, at: block * SpoolFile.blockBytes)
        } catch {
            owner.free([block])
            throw error
        }
        state.withLock { state in
            state.file = file
            state.blocks.append(block)
        }
    }

    /// At most `limit` bytes from an offset, within one block.
    func read(from offset: Int, atMost limit: Int) throws(SpoolError) -> [UInt8] {
        let (number, start) = offset.quotientAndRemainder(dividingBy: SpoolFile.blockBytes)
        let (file, block) = state.withLock { ($0.file, $0.blocks[number]) }
        let length = min(limit, SpoolFile.blockBytes - start)
        let bytes = try file?.read(at: block * SpoolFile.blockBytes + start, atMost: length) ?? []
        // A privileged process has truncated the file.
        guard !bytes.isEmpty else { throw .failed("the file was truncated") }
        return bytes
    }
}
