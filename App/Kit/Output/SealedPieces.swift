internal import Crypto
private import Synchronization

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The encryption of a temporary file with AES-256-GCM, under a key that only this object has: neither other programs
/// nor the disk after the end of the process have a plain text of requests and responses.
///
/// A piece is one write. A piece at the offset of an earlier one replaces it; others must not overlap. The nonce and the
/// tag of each piece stay in memory, so the encrypted bytes have the length and the offset of the plain ones.
final class SealedPieces: Sendable {
    private struct Piece {
        let count: Int
        let nonce: AES.GCM.Nonce
        let tag: [UInt8]
    }

    private struct State {
        var pieces: [Int: Piece] = [:]
        /// The offsets of the pieces, ascending.
        var offsets: [Int] = []
    }

    private let key = SymmetricKey(size: .bits256)
    private let state = Mutex(State())

    /// Encrypts a piece.
    func seal(_ bytes: [UInt8], at offset: Int) throws(SpoolError) -> [UInt8] {
        guard let box = try? AES.GCM.seal(bytes, using: key) else { throw .failed("the encryption failed") }
        let piece = Piece(count: bytes.count, nonce: box.nonce, tag: Array(box.tag))
        state.withLock { state in
            if state.pieces.updateValue(piece, forKey: offset) == nil {
                state.offsets.insert(offset, at: state.offsets.place(after: offset))
            }
        }
        return Array(box.ciphertext)
    }

    /// The offset and the length of the piece that contains an offset; `nil` behind the last one.
    func extent(at offset: Int) -> (offset: Int, count: Int)? {
        state.withLock { state in
            let place = state.offsets.place(after: offset)
            guard place > 0, let piece = state.pieces[state.offsets[place - 1]] else { return nil }
            let start = state.offsets[place - 1]
            return offset < start + piece.count ? (start, piece.count) : nil
        }
    }

    /// Decrypts the piece at an offset.
    func open(_ bytes: [UInt8], at offset: Int) throws(SpoolError) -> [UInt8] {
        let piece = state.withLock { $0.pieces[offset] }
        guard let piece,
            let box = try? AES.GCM.SealedBox(nonce: piece.nonce, ciphertext: bytes, tag: piece.tag),
            let plain = try? AES.GCM.open(box, using: key)
        else { throw .failed("the file was changed") }
        return Array(plain)
    }
}

extension [Int] {
    /// The index behind the last element that is at most a value, in an ascending list.
    fileprivate func place(after value: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
