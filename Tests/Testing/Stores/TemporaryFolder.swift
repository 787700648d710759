internal import Foundation

/// A folder that is removed with its owner.
public final class TemporaryFolder: Sendable {
    /// The absolute path, without a slash at the end.
    public let path: String

    /// Creates an empty folder in the folder for temporary files.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "test-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path.
    @discardableResult
    public func file(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }
}
