import Foundation

/// The bytes of a database, and of its log if there is one.
func fileBytes(_ path: String) throws -> [UInt8] {
    let log = try? Data(contentsOf: URL(filePath: path + "-wal"))
    return Array(try Data(contentsOf: URL(filePath: path))) + Array(log ?? Data())
}
