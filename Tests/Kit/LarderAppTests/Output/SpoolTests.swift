import Foundation
import Testing

@testable import LarderApp

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
        try spool.close()
        #expect(spool.bytesInMemory == 0)
        #expect(try spool.bytes() == bytes)
    }

    @Test func `a spool beyond a share is refused, keeps its bytes, and frees them at its end`() throws {
        let file = SpoolFile(limit: 1 << 20)
        do {
            var spool = Spool(limit: 1 << 20, in: file, for: .results, caller: "ann")
            try spool.append(Array(repeating: 1, count: 65_536))
            try spool.append(Array(repeating: 2, count: 65_535))
            #expect(throws: SpoolError.noSpace(.caller)) { try spool.append([3]) }
            #expect(spool.count == 131_071)
            #expect(try spool.bytes().last == 2)
            #expect(file.usedBytes(for: .results) == 65_536)
            var other = Spool(limit: 1 << 20, in: file, for: .results, caller: "bob")
            try other.append(Array(repeating: 1, count: 65_536))
        }
        #expect(file.usedBytes(for: .results) == 0)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func `the temporary file has no plain text`() throws {
        let canary = "canary \(UUID().uuidString)"
        var spool = Spool(limit: 1 << 20)
        while spool.count < 200_000 { try spool.append(Array(canary.utf8)) }
        #expect(try spool.bytes().starts(with: Array(canary.utf8)))
        var found = (files: 0, plain: 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            guard let link, link.hasSuffix("(deleted)"),
                let bytes = FileManager.default.contents(atPath: "/proc/self/fd/\(name)")
            else { continue }
            found.files += 1
            if bytes.firstRange(of: Data(canary.utf8)) != nil { found.plain += 1 }
        }
        #expect(found.files > 0 && found.plain == 0)
    }
}
