import LarderData
import LarderDecorators
import LarderInfrastructure
import LarderStoreContract

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stores of two and more decorators.
enum StackedStores {
    typealias Opening = StoreFixture.Opening

    private static let (memory, file, sqlite) = (StoreFixture.memory, StoreFixture.file, StoreFixture.sqlite)

    /// At the quick size one stack, at the size `ci` all pairs, and at the size `prove` also other bases and larger stacks.
    static var fixtures: [StoreFixture] {
        let pairs = [
            fixture("sealed over mirrored", sealed(mirrored(memory, memory))),
            fixture("mirrored over sealed", mirrored(sealed(memory), sealed(memory))),
            fixture("read-only over sealed", readOnly(sealed(memory))),
            fixture("read-only over mirrored", readOnly(mirrored(memory, memory))),
        ]
        let others = [
            fixture("sealed over mirrored sqlite and file", sealed(mirrored(sqlite, file))),
            fixture("sealed over mirrored file and sqlite", sealed(mirrored(file, sqlite))),
            fixture("mirrored over sealed sqlite and sealed file", mirrored(sealed(sqlite), sealed(file))),
            fixture("read-only over sealed over mirrored", readOnly(sealed(mirrored(sqlite, memory)))),
            fixture("read-only over mirrored over sealed", readOnly(mirrored(sealed(sqlite), sealed(memory)))),
            fixture("cached over sealed over mirrored", cached(sealed(mirrored(sqlite, memory)))),
            fixture("read-only over cached over sealed", readOnly(cached(sealed(sqlite)))),
        ]
        switch RunSize.current {
        case .quick: return Array(pairs.prefix(1))
        case .ci: return pairs
        case .prove: return pairs + others
        }
    }

    /// Stacks over a decorator that does not delete.
    static let defective = [
        fixture("sealed over a defect over mirrored", sealed(forgetful(mirrored(memory, memory)))),
        fixture("read-only over a defect over sealed", readOnly(forgetful(sealed(memory)))),
    ]

    private static func fixture(_ name: String, _ open: @escaping Opening) -> StoreFixture {
        let root = FileManager.default.temporaryDirectory.appending(path: "larder-stacks").path
        return StoreFixture(name) { schemas, scratch in
            let seals = name.contains("sealed")
            return try await open(
                seals ? schemas.sealingAll(except: SealedContractTests.plain) : schemas, "\(root)/\(scratch)")
        } copy: { scratch, other in
            try FileManager.default.copyItem(atPath: "\(root)/\(scratch)", toPath: "\(root)/\(other)")
        } discard: { scratch in
            try? FileManager.default.removeItem(atPath: "\(root)/\(scratch)")
        }
    }

    static func sealed(_ base: @escaping Opening) -> Opening {
        { schemas, folder in try await SealedStore.open(schemas, keys: .fake()) { try await base($0, folder) } }
    }

    static func mirrored(_ primary: @escaping Opening, _ mirror: @escaping Opening) -> Opening {
        { schemas, folder in
            let members = try MirroredStore.schemas(of: schemas)
            let mirror = Member("mirror", try await mirror(members, "\(folder)/mirror"))
            let primary = Member("primary", try await primary(members, "\(folder)/primary"))
            return try await MirroredStore.open(schemas, primary: primary, mirrors: [mirror], required: 1)
        }
    }

    private static func cached(_ base: @escaping Opening) -> Opening {
        { CachedStore(try await base($0, $1)) }
    }

    static func readOnly(_ base: @escaping Opening) -> Opening {
        { ReadsReadOnly(try await base($0, $1)) }
    }

    private static func forgetful(_ base: @escaping Opening) -> Opening {
        { Forgetful(try await base($0, $1)) }
    }
}
