import Foundation
import LarderApp
import LarderData
import LarderDomain

/// The commands of a program on one store.
struct AbilityCommands {
    private let folder: String
    private let store: String
    private let new: String
    private let other: String

    init(in folder: String, store: String, new: String, other: String) {
        (self.folder, self.store, self.new, self.other) = (folder, store, new, other)
    }

    /// Fills the store, and a file store that is backed up and transferred.
    ///
    /// - Returns: The open store.
    func prepare() async throws -> any Store {
        try "secret".write(toFile: folder + "/passphrase", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/passphrase")
        try await filled("file:\(folder)/source").close()
        _ = await run("backup DIR/source.backup --store file:DIR/source")
        return try await filled(store)
    }

    private func filled(_ location: String) async throws -> any Store {
        let mappers = try MapperSet(Loans.mappers)
        let settings = StoreSettings(location: try StoreLocation(location, environment: .current))
        let store = try await settings.open(mappers.schemas)
        let ann = Person(id: EntityID(UUIDv7Generator().next()), name: "ann")
        try await StoreManager(store, mappers: mappers).create(ann)
        return store
    }

    /// The result of a command: `yes`, or its error.
    func run(_ line: String) async -> String {
        let words = line.split(separator: " ").map { word in
            String(word).replacing("STORE", with: store).replacing("NEW", with: new).replacing("OTHER", with: other)
                .replacing("DIR", with: folder)
        }
        let output = CapturedOutput()
        let status = await UserEnvironment.$current.withValue(UserEnvironment(["HOME": folder])) {
            await output.during { await CommandFrame.run(Loans.self, Loans.identity, arguments: words) }
        }
        guard status != 0 else { return "yes" }
        let errors = String(decoding: output.errors, as: UTF8.self)
        let message = errors.split(separator: "\n").first.map(String.init) ?? ""
        // Messages show a database as its address.
        let locations = [store, new, other].flatMap { text in
            [text, (try? StoreLocation(text, environment: .current))?.description ?? text]
        }
        let reason = locations.reduce(message) { $0.replacing($1, with: "it") }
        return "no: "
            + reason.replacing(folder, with: "DIR").replacing("my-loans: ", with: "").replacing("Error: ", with: "")
    }
}
