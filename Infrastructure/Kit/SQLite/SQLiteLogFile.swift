internal import LarderData
internal import LarderDomain

/// Reads the headers of a write-ahead log's frames since its last restart.
///
/// A frame repeats the salts of the log's header; stale frames, which remain until they are overwritten, have others.
/// The checksums of frames are not verified.
struct SQLiteLogFile {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private let path: String
    private let file: POSIXFile
    private let header: [UInt8]
    private let size: Int
    /// The size of the pages in bytes; arbitrary if the header is damaged.
    let pageSize: Int

    /// Opens a log. Returns `nil` if it is too short for a header.
    init?(_ path: String) throws(PersistencyError) {
        self.path = path
        file = try POSIXFile(reading: path)
        header = try file.read(Self.headerSize, at: 0)
        size = try file.size()
        if header.count < Self.headerSize { return nil }
        pageSize = Int(Self.number(header, 8))
    }

    private var frameSize: Int { pageSize + Self.frameHeaderSize }

    /// Visits the marks in the log, each with the number of its page, until the body returns `false`. The last ones may be
    /// in frames that SQLite ignores.
    func forEachMark(
        _ body: (_ page: Int, SQLiteFileMark) throws(PersistencyError) -> Bool
    ) throws(PersistencyError) {
        guard isIntact else { return }
        for place in stride(from: Self.headerSize, through: size - frameSize, by: frameSize) {
            guard let frame = try frame(at: place) else { return }
            let start = place + Self.frameHeaderSize
            guard SQLiteFileMark.mayBeMark(try file.read(SQLiteFileMark.prefix, at: start)),
                let mark = SQLiteFileMark(page: try file.read(pageSize, at: start))
            else { continue }
            guard try body(Int(Self.number(frame, 0)), mark) else { return }
        }
    }

    /// The numbers of the pages in the log, and the database's page count after the last transaction in the log, or
    /// `nil` if there is none. The last pages may be in frames that SQLite ignores.
    func pages() throws(PersistencyError) -> (Set<Int>, count: Int?) {
        var (pages, count): (Set<Int>, Int?) = ([], nil)
        guard isIntact else { return (pages, count) }
        for place in stride(from: Self.headerSize, through: size - frameSize, by: frameSize) {
            guard let frame = try frame(at: place) else { break }
            pages.insert(Int(Self.number(frame, 0)))
            if case let total = Int(Self.number(frame, 4)), total > 0 { count = total }
        }
        return (pages, count)
    }

    /// Copies the tail that SQLite's recovery ignores, frames without a completely readable transaction, to a file next
    /// to the log, before the log is overwritten.
    ///
    /// - Parameter frames: The number of frames that SQLite has recovered.
    /// - Returns: `nil` if nothing was dropped.
    func keepTail(
        behind frames: Int, in folder: String, _ fileSystem: POSIXFileSystem = POSIXFileSystem()
    ) throws(PersistencyError) -> DroppedTail? {
        let offset = isIntact ? Self.headerSize + frames * frameSize : 0
        var (end, count, commits) = (offset, 0, 0)
        while isIntact, end < size, let frame = try frame(at: end) {
            // The last frame of a transaction contains the database's page count, the others 0.
            if frame.count == Self.frameHeaderSize, Self.number(frame, 4) != 0 { commits += 1 }
            count += 1
            end = min(size, end + frameSize)
        }
        if !isIntact { end = size }
        guard end > offset else { return nil }
        let transactions = commits == 0 ? "an unfinished transaction" : "\(commits) transaction(s)"
        let content = isIntact ? "\(count) page(s) of \(transactions)" : "its header is damaged"
        let name = header[16..<24].hexadecimal
        let copy = "\(path)-dropped-\(name)"
        try file.copy(offset..<end, to: copy, fileSystem)
        try fileSystem.syncFolder(folder)
        return DroppedTail(log: path, offset: offset, size: end - offset, content: content, copy: copy)
    }

    /// The header of a frame, truncated at the end of the file; `nil` for a stale frame.
    private func frame(at place: Int) throws(PersistencyError) -> [UInt8]? {
        let frame = try file.read(Self.frameHeaderSize, at: place)
        let salts = frame.dropFirst(8).prefix(8)
        return salts.elementsEqual(header[16..<24].prefix(salts.count)) ? frame : nil
    }

    /// Whether the header's checksum is valid. If it is not, SQLite ignores the whole log.
    private var isIntact: Bool {
        let magic = Self.number(header, 0)
        guard magic & ~1 == 0x377F_0682 else { return false }
        var sums: (UInt32, UInt32) = (0, 0)
        for place in stride(from: 0, to: 24, by: 8) {
            sums.0 &+= Self.number(header, place, isBigEndian: magic & 1 == 1) &+ sums.1
            sums.1 &+= Self.number(header, place + 4, isBigEndian: magic & 1 == 1) &+ sums.0
        }
        return sums.0 == Self.number(header, 24) && sums.1 == Self.number(header, 28)
    }

    private static func number(_ bytes: [UInt8], _ place: Int, isBigEndian: Bool = true) -> UInt32 {
        let number = UInt32(truncatingIfNeeded: bytes.number(at: place, bytes: 4))
        return isBigEndian ? number : number.byteSwapped
    }
}
