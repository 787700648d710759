/// An element of a ``SortedChunks``, which is sorted by its key.
protocol SortedElement: Sendable {
    associatedtype Key: Comparable
    var key: Key { get }
}

/// Elements with distinct keys, sorted by key, in chunks that copies share.
///
/// A copy is O(1); the first write after it copies the list of chunks and the one chunk that it changes.
struct SortedChunks<Element: SortedElement>: Sendable {
    /// The maximum size of a chunk: small enough to copy, large enough for a short list of chunks.
    static var chunkSize: Int { 256 }

    /// Chunks in the order of keys; no chunk is empty.
    private(set) var chunks: [[Element]] = []
    private(set) var count = 0

    /// - Complexity: O(log *n*).
    subscript(key: Element.Key) -> Element? {
        guard let chunk = chunk(for: key) else { return nil }
        let position = Self.position(of: key, in: chunks[chunk])
        guard position < chunks[chunk].count, chunks[chunk][position].key == key else { return nil }
        return chunks[chunk][position]
    }

    /// Inserts an element, or replaces the one with its key.
    ///
    /// - Returns: The replaced element, if any.
    /// - Complexity: O(log *n*), and O(*n* / 256) if a chunk is split or copied.
    @discardableResult
    mutating func put(_ element: Element) -> Element? {
        guard let chunk = chunk(for: element.key) else {
            chunks = [[element]]
            count = 1
            return nil
        }
        let position = Self.position(of: element.key, in: chunks[chunk])
        if position < chunks[chunk].count, chunks[chunk][position].key == element.key {
            let old = chunks[chunk][position]
            chunks[chunk][position] = element
            return old
        }
        count += 1
        if chunks[chunk].count < Self.chunkSize {
            chunks[chunk].insert(element, at: position)
        } else if position == Self.chunkSize {
            // Ids mostly ascend, so a full last chunk stays full and a new one starts.
            chunks.insert([element], at: chunk + 1)
        } else {
            let middle = Self.chunkSize / 2
            chunks.insert(Array(chunks[chunk][middle...]), at: chunk + 1)
            chunks[chunk].removeSubrange(middle...)
            let half = position <= middle ? 0 : 1
            chunks[chunk + half].insert(element, at: position - half * middle)
        }
        return nil
    }

    /// Removes and returns the element with a key.
    @discardableResult
    mutating func remove(_ key: Element.Key) -> Element? {
        guard let chunk = chunk(for: key) else { return nil }
        let position = Self.position(of: key, in: chunks[chunk])
        guard position < chunks[chunk].count, chunks[chunk][position].key == key else { return nil }
        let old = chunks[chunk].remove(at: position)
        count -= 1
        if chunks[chunk].isEmpty {
            chunks.remove(at: chunk)
        } else {
            joinSmallChunks(at: chunk)
            joinSmallChunks(at: chunk - 1)
        }
        return old
    }

    /// Merges a chunk with the next one if the result is at most half full, so that the next write does not split it.
    private mutating func joinSmallChunks(at chunk: Int) {
        guard chunk >= 0, chunk + 1 < chunks.count else { return }
        guard chunks[chunk].count + chunks[chunk + 1].count <= Self.chunkSize / 2 else { return }
        chunks[chunk] += chunks.remove(at: chunk + 1)
    }

    /// The index of the chunk for a key: the last chunk that does not start after it.
    private func chunk(for key: Element.Key) -> Int? {
        chunks.isEmpty ? nil : Swift.max(0, chunks.firstIndexWhere { $0[0].key > key } - 1)
    }

    private static func position(of key: Element.Key, in chunk: [Element]) -> Int {
        chunk.firstIndexWhere { $0.key >= key }
    }
}

extension SortedChunks: BidirectionalCollection {
    struct Index: Comparable {
        fileprivate let chunk: Int
        fileprivate let offset: Int

        static func < (lhs: Index, rhs: Index) -> Bool { (lhs.chunk, lhs.offset) < (rhs.chunk, rhs.offset) }
    }

    var startIndex: Index { Index(chunk: 0, offset: 0) }
    var endIndex: Index { Index(chunk: chunks.count, offset: 0) }
    subscript(index: Index) -> Element { chunks[index.chunk][index.offset] }

    func index(after index: Index) -> Index {
        let next = index.offset + 1
        return next < chunks[index.chunk].count
            ? Index(chunk: index.chunk, offset: next) : Index(chunk: index.chunk + 1, offset: 0)
    }

    func index(before index: Index) -> Index {
        index.offset > 0
            ? Index(chunk: index.chunk, offset: index.offset - 1)
            : Index(chunk: index.chunk - 1, offset: chunks[index.chunk - 1].count - 1)
    }

    /// The first index whose element satisfies a monotonic condition: once true, true for all later elements.
    ///
    /// - Complexity: O(log *n*).
    func firstIndex(fromWhere condition: (Element) -> Bool) -> Index {
        let chunk = chunks.firstIndexWhere { condition($0[$0.count - 1]) }
        guard chunk < chunks.count else { return endIndex }
        return Index(chunk: chunk, offset: chunks[chunk].firstIndexWhere(condition))
    }
}

extension Array {
    /// The first index whose element satisfies a monotonic condition; the count if none does.
    fileprivate func firstIndexWhere(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
