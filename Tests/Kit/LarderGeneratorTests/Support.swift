import Foundation

@testable import LarderGenerator

/// A folder that is removed at the end.
final class Scratch {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "generator-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Creates a service, which depends on the kit by path unless an argument says otherwise.
    func service(_ name: String, _ more: String...) throws -> URL {
        let arguments = ["NAME=\(name)", "AT=\(name)", "KIT=path"] + more.filter { !$0.isEmpty }
        _ = try NewService(try Arguments(arguments), in: folder).create()
        return folder.appending(path: name)
    }

    /// All files with their texts.
    static func texts(below folder: URL) throws -> [String: String] {
        var texts: [String: String] = [:]
        for path in try NewService.files(below: folder) {
            texts[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        return texts
    }
}
