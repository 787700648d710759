import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure

/// The arguments of the program.
struct LoadOptions {
    enum Flag: String {
        /// Seals the texts with canaries.
        case sealed = "--sealed"
        /// A commit is acknowledged when one mirror has it.
        case required = "--required"
        /// Promotes the first location, which is a mirror.
        case promote = "--promote"
        /// Writes backups next to the first location.
        case backups = "--backups"
        /// A planted fault: the mirror does not delete.
        case forgetful = "--forgetful"
    }

    private let flags: Set<Flag>
    /// `sqlite:` or `file:`, and a path. Those after the first are mirrors of the first.
    private let locations: [String]

    init(_ words: some Sequence<String>) throws {
        flags = Set(words.compactMap(Flag.init))
        locations = words.filter { !$0.hasPrefix("--") }
        guard !locations.isEmpty, locations.count + flags.count == Array(words).count else {
            throw PersistencyError.incompatible("DecoratorLoad [OPTION...] LOCATION...")
        }
    }

    var entries: Entries { Entries(isSealed: flags.contains(.sealed)) }

    var backup: String? { flags.contains(.backups) ? String(locations[0].split(separator: ":")[1] + ".backup") : nil }

    func open() async throws -> any Store {
        let schemas = try SchemaSet([entries.entry, entries.counter])
        guard flags.contains(.sealed) else { return try await openBase(schemas) }
        let keys = try SealingKeys(
            current: .init("k1", StreamCipher(key: 1)), equality: .init("equality", StreamCipher(key: 2)))
        return try await SealedStore.open(schemas, keys: keys, openBase)
    }

    private func openBase(_ schemas: SchemaSet) async throws -> any Store {
        guard locations.count > 1 else { return try await open(locations[0], schemas) }
        let members = try MirroredStore.schemas(of: schemas)
        let primary = MirroredStore.Member(locations[0], try await open(locations[0], members))
        if flags.contains(.promote) {
            let position = try await MirroredStore.promote(primary, over: nil).position
            DecoratorLoad.log("promoted \(position)")
        }
        var mirrors: [MirroredStore.Member] = []
        for location in locations.dropFirst() {
            let store = try await open(location, members)
            mirrors.append(.init(location, flags.contains(.forgetful) ? ForgetfulStore(store) : store))
        }
        return try await MirroredStore.open(
            schemas, primary: primary, mirrors: mirrors, required: flags.contains(.required) ? 1 : 0)
    }

    private func open(_ location: String, _ schemas: SchemaSet) async throws -> any Store {
        let path = String(location.drop { $0 != ":" }.dropFirst())
        if location.hasPrefix("file:") { return try await FileStore.open(.init(path), schemas: schemas) }
        return try await SQLiteStore.open(.init(.file(path)), schemas: schemas)
    }
}
