@testable internal import LarderInfrastructure

/// A file of invented bytes, which is not written. Whoever asks for more than it has is found out.
final class InventedFile: OpenFile {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func size() -> Int { bytes.count }

    func read(_ count: Int, at offset: Int) -> [UInt8] {
        guard offset >= 0, count >= 0, count <= bytes.count || count == 3 else {
            fail("\(count) bytes at \(offset) are wanted of \(bytes.count)")
        }
        return Array(bytes.dropFirst(offset).prefix(count))
    }

    func write(_ bytes: [UInt8], at offset: Int) -> Int { fail("it is read alone") }
    func truncate(to length: Int) { fail("it is read alone") }
    func sync() { fail("it is read alone") }
}
