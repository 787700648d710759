import Foundation
import LarderApp
import Testing

struct LineReaderTests {
    private func lines(_ text: String) throws -> [String] {
        let path = NSTemporaryDirectory() + "/larder-lines-" + UUID().uuidString
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = try LineReader(path: path)
        var found: [String] = []
        while let line = try reader.next() {
            found.append("\(line.number):" + String(decoding: line.bytes, as: UTF8.self))
        }
        #expect(reader.progress == 1)
        return found
    }

    @Test func `lines end with a line feed, and the last one need not`() throws {
        #expect(try lines("a\nb") == ["1:a", "2:b"])
        #expect(try lines("a\n\nb\n") == ["1:a", "2:", "3:b"])
        #expect(try lines("") == [])
        #expect(try lines("\n") == ["1:"])
    }

    @Test func `carriage returns before the end and a byte order mark are no part of a line`() throws {
        #expect(try lines("\u{FEFF}a\r\nb\rc\r\n") == ["1:a", "2:b\rc"])
    }

    @Test func `a line may be longer than one read`() throws {
        let long = String(repeating: "x", count: 200_000)
        #expect(try lines("a\n\(long)\nb") == ["1:a", "2:\(long)", "3:b"])
    }

    @Test func `a folder cannot be read`() throws {
        var reader = try LineReader(path: NSTemporaryDirectory())
        #expect(throws: InputError.self) { try reader.next() }
    }
}
