internal import LarderData
internal import LarderStoreContract

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A folder for temporary stores.
struct ScratchFolder: Sendable {
    private let path: String

    /// Creates a unique folder.
    init() throws {
        let name = ServiceIdentity.current.name + "-check-" + UUID().uuidString.lowercased()
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(
                .storeUnavailable, "cannot make the folder \(path)", advice: "Set TMPDIR to another folder.")
        }
    }

    func remove() {
        // Errors are ignored: the system cleans its folder for temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Creates stores of the kind that the options name, each in a separate subfolder.
    func fixture(_ options: StoreOptions) async throws -> StoreFixture {
        let settings = try await options.scratchSettings(path: path)
        return StoreFixture(settings.location.kind) { schemas, name in
            try await settings.moved(to: "\(path)/\(name)/store").open(schemas)
        } copy: { name, other in
            try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
        } discard: { name in
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }
}
