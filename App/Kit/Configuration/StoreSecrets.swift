internal import LarderData
internal import LarderDecorators
internal import LarderInfrastructure

/// The secrets that open a store.
struct StoreSecrets: Sendable {
    /// The passphrase that seals a SQLite database or a file store as a whole.
    private(set) var passphrase: Passphrase?
    /// The keys of sealed columns, in stores of every kind.
    private(set) var keys: SealingKeys?

    init() {}

    /// Reads each secret from its variable, its line of the settings file, or a separate file. An error names the source,
    /// without the secret.
    init(_ reader: inout SettingReader, _ location: StoreLocation) {
        keys = Self.secret(.sealingKeys, .sealingKeyFile, &reader, SealingKeys.init(text:source:))
        passphrase = Self.secret(.passphrase, .passphraseFile, &reader) { text, source throws(CommandFailure) in
            guard location.members.allSatisfy({ ["sqlite", "file"].contains($0.kind) }) else {
                throw CommandFailure(
                    .configuration, "\(source): a passphrase seals sqlite: and file: stores only",
                    advice: "Unset it, or choose another store with --store.")
            }
            return try Passphrase(text: text, source: source)
        }
    }

    private static func secret<Secret>(
        _ text: Setting, _ file: Setting, _ reader: inout SettingReader,
        _ make: (_ text: String, _ source: String) throws(CommandFailure) -> Secret
    ) -> Secret? {
        let secret = reader.read { sources throws(CommandFailure) -> Secret? in
            let (given, file) = (try sources.value(of: text), try sources.value(of: file))
            if let value = given.value, file.value != nil || value.isEmpty {
                throw given.refusal("set either \(text.name) or \(file.setting.name)")
            } else if let value = given.value {
                return try make(value, "\(given.source), \(text.name)")
            } else if let path = file.value {
                let path = sources.environment.expanding(path)
                return try make(PrivateFile.text(at: path), path)
            }
            return nil
        }
        return secret ?? nil
    }

    /// The passphrase of a file store.
    var sealing: FileStore.Sealing? { passphrase.map { FileStore.Sealing($0, ScryptDerivation()) } }
}

extension Passphrase {
    init(text: String, source: String) throws(CommandFailure) {
        do throws(PassphraseError) {
            try self.init(text)
        } catch {
            throw CommandFailure(.configuration, "\(source): \(error)")
        }
    }
}
