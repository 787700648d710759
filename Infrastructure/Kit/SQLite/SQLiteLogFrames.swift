internal import LarderDomain

/// The frames of a write-ahead log since it last began, by their headers.
///
/// A frame repeats the salts of the log's header; those of an earlier round, which stay until they are overwritten, have
/// other ones. Checksums are not compared, so the end may have frames that SQLite passes over.
struct SQLiteLogFrames {
    static let headerSize = 32
    static let frameHeaderSize = 24

    /// The pages that the log has.
    private(set) var pages: Set<Int> = []
    /// How many pages the database has after the last transaction in the log; `nil` for a log without one.
    private(set) var pageCount: Int?

    /// Reads the headers of all frames.
    init(_ path: String, pageSize: Int) throws(PersistencyError) {
        let file = try POSIXFile(reading: path)
        let (header, end) = (try file.read(Self.headerSize, at: 0), try file.size())
        guard header.count == Self.headerSize, Self.isIntact(header) else { return }
        let frameSize = pageSize + Self.frameHeaderSize
        for place in stride(from: Self.headerSize, through: end - frameSize, by: frameSize) {
            let frame = try file.read(Self.frameHeaderSize, at: place)
            guard frame.count == Self.frameHeaderSize, frame[8..<16] == header[16..<24] else { return }
            pages.insert(Int(Self.number(frame, 0)))
            if case let count = Int(Self.number(frame, 4)), count > 0 { pageCount = count }
        }
    }

    /// Whether a header has the checksum that it names; without, SQLite passes over all of the log.
    static func isIntact(_ header: [UInt8]) -> Bool {
        let magic = number(header, 0)
        guard magic & ~1 == 0x377F_0682 else { return false }
        var sums: (UInt32, UInt32) = (0, 0)
        for place in stride(from: 0, to: 24, by: 8) {
            sums.0 &+= number(header, place, isBigEndian: magic & 1 == 1) &+ sums.1
            sums.1 &+= number(header, place + 4, isBigEndian: magic & 1 == 1) &+ sums.0
        }
        return sums.0 == number(header, 24) && sums.1 == number(header, 28)
    }

    private static func number(_ bytes: [UInt8], _ place: Int, isBigEndian: Bool = true) -> UInt32 {
        let four = bytes[place..<place + 4]
        return (isBigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
