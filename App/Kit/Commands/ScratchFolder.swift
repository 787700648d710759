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
    private init() throws {
        let name = ServiceIdentity.current.name + "-check-" + UUID().uuidString.lowercased()
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(
                .storeUnavailable, "cannot make the folder \(path)", advice: "Set TMPDIR to another folder.")
        }
    }

    private func remove() {
        // Errors are ignored: the system cleans its folder for temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Runs a body with temporary stores of the kind that the options name, which are removed afterwards.
    static func withStores<Result>(
        _ options: StoreOptions, _ body: (StoreFixture) async throws -> Result
    ) async throws -> Result {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let settings = try await options.scratchSettings(path: scratch.path)
        try settings.checkSingle()
        if case .postgres(let database) = settings.location { return try await database.withStores(settings, body) }
        return try await body(scratch.fixture(settings))
    }

    /// Creates stores in separate subfolders.
    private func fixture(_ settings: StoreSettings) -> StoreFixture {
        StoreFixture(settings.location.kind) { schemas, name in
            try await settings.moved(to: "\(path)/\(name)/store").open(schemas)
        } copy: { name, other in
            try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
        } discard: { name in
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }
}
