import LarderApp
import Testing

struct SpoolTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func `spilled values are read back, and few of them are in memory`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var spool = Spool(limit: count)
        for start in stride(from: 0, to: count, by: 777) {
            try spool.append(Array(bytes[start...].prefix(777)))
            #expect(spool.bytesInMemory < Spool.pieceSize)
        }
        #expect(spool.count == count)
        var read: [UInt8] = []
        while true {
            let piece = try spool.read(from: read.count)
            if piece.isEmpty { break }
            read += piece
        }
        #expect(read == bytes)
        #expect(throws: SpoolError.full(limit: count)) { try spool.append([1]) }
        #expect(spool.count == count)
    }
}
