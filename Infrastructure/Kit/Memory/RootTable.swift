internal import LarderData
internal import LarderDomain

/// The roots of one schema in the order of ids, in chunks that copies of the table share.
///
/// A snapshot is a copy of the table and costs nothing; the first write after it copies the list of chunks and the one
/// chunk that it touches, not the rest.
struct RootTable: Sendable {
    /// The most roots of a chunk: small enough to copy, large enough that the list of chunks stays short.
    static let chunkSize = 256

    /// Chunks in the order of ids, none of them empty.
    private(set) var chunks: [[StorageObject]] = []

    /// The root with an id.
    ///
    /// - Complexity: O(log *n*).
    subscript(id: RawID) -> StorageObject? {
        guard let chunk = chunk(for: id) else { return nil }
        let position = Self.position(of: id, in: chunks[chunk])
        guard position < chunks[chunk].count, chunks[chunk][position].id == id else { return nil }
        return chunks[chunk][position]
    }

    /// Puts a root in, in place of the one with its id if there is one.
    mutating func put(_ object: StorageObject) {
        guard let chunk = chunk(for: object.id) else {
            chunks = [[object]]
            return
        }
        let position = Self.position(of: object.id, in: chunks[chunk])
        if position < chunks[chunk].count, chunks[chunk][position].id == object.id {
            chunks[chunk][position] = object
        } else if chunks[chunk].count < Self.chunkSize {
            chunks[chunk].insert(object, at: position)
        } else if position == Self.chunkSize {
            // Ids mostly rise, so a full chunk at the end stays full and the next one begins.
            chunks.insert([object], at: chunk + 1)
        } else {
            let upper = Array(chunks[chunk][(Self.chunkSize / 2)...])
            chunks[chunk].removeSubrange((Self.chunkSize / 2)...)
            chunks.insert(upper, at: chunk + 1)
            put(object)
        }
    }

    /// Takes a root out.
    mutating func remove(_ id: RawID) {
        guard let chunk = chunk(for: id) else { return }
        let position = Self.position(of: id, in: chunks[chunk])
        guard position < chunks[chunk].count, chunks[chunk][position].id == id else { return }
        chunks[chunk].remove(at: position)
        if chunks[chunk].isEmpty {
            chunks.remove(at: chunk)
        } else {
            joinSmallChunks(at: chunk)
            joinSmallChunks(at: chunk - 1)
        }
    }

    /// Joins a chunk with the next if both together are small; half full at most, lest the next write parts them again.
    private mutating func joinSmallChunks(at chunk: Int) {
        guard chunk >= 0, chunk + 1 < chunks.count else { return }
        guard chunks[chunk].count + chunks[chunk + 1].count <= Self.chunkSize / 2 else { return }
        chunks[chunk] += chunks.remove(at: chunk + 1)
    }

    /// The chunk that has the id or would take it: the last that does not begin after it.
    private func chunk(for id: RawID) -> Int? {
        chunks.isEmpty ? nil : max(0, chunks.firstIndexWhere { $0[0].id > id } - 1)
    }

    private static func position(of id: RawID, in chunk: [StorageObject]) -> Int {
        chunk.firstIndexWhere { $0.id >= id }
    }
}

extension Array {
    /// The first index whose element satisfies a condition that, once satisfied, stays so; the count if none does.
    fileprivate func firstIndexWhere(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
