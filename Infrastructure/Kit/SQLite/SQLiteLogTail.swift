internal import LarderDomain

/// The end of a write-ahead log that SQLite's recovery passes over: frames that were written since the log last began,
/// and belong to no transaction that can be read to its end.
///
/// Frames of an earlier round, which the log keeps until they are overwritten, are not among them: a frame repeats the
/// salts of the log's header, and each round has other ones.
struct SQLiteLogTail {
    private let path: String
    private let file: POSIXFile
    private let header: [UInt8]
    private let offset: Int
    private let size: Int
    private let content: String

    /// Looks behind the frames that SQLite has recovered; `nil` where nothing was dropped.
    ///
    /// - Parameter frames: How many frames SQLite has recovered.
    init?(_ path: String, frames: Int, pageSize: Int) throws(PersistencyError) {
        self.path = path
        file = try POSIXFile(reading: path)
        let end = try file.size()
        header = try file.read(SQLiteLogFrames.headerSize, at: 0)
        guard header.count == SQLiteLogFrames.headerSize else { return nil }
        let frameSize = pageSize + SQLiteLogFrames.frameHeaderSize
        guard SQLiteLogFrames.isIntact(header) else {
            (offset, size, content) = (0, end, "its header is damaged")
            return
        }
        offset = SQLiteLogFrames.headerSize + frames * frameSize
        var (place, count, commits) = (offset, 0, 0)
        while place < end {
            let frame = try file.read(SQLiteLogFrames.frameHeaderSize, at: place)
            // The salts, as far as they were written.
            let salts = frame.dropFirst(8).prefix(8)
            guard salts.elementsEqual(header[16..<24].prefix(salts.count)) else { break }
            // The last frame of a transaction says how many pages the database has after it.
            if frame.count == SQLiteLogFrames.frameHeaderSize, frame[4..<8].contains(where: { $0 != 0 }) {
                commits += 1
            }
            count += 1
            place = min(end, place + frameSize)
        }
        size = place - offset
        guard size > 0 else { return nil }
        let transactions = commits == 0 ? "a transaction that had not ended" : "\(commits) transaction(s)"
        content = "\(count) page(s) of \(transactions)"
    }

    /// Copies the bytes to a file next to the log, for good, before the log is written again.
    func keep(_ fileSystem: POSIXFileSystem, in folder: String) throws(PersistencyError) -> DroppedTail {
        let name = header[16..<24].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let copy = "\(path)-dropped-\(name)"
        try file.copy(offset..<offset + size, to: copy, fileSystem)
        try fileSystem.syncFolder(folder)
        return DroppedTail(log: path, offset: offset, size: size, content: content, copy: copy)
    }
}
