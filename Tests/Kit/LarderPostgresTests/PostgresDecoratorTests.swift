#if Postgres
import LarderData
@testable import LarderDecoratorsTests
import LarderStoreContract
import Testing

@Suite(.postgres)
struct PostgresDecoratorTests {
    private static let postgres: StackedStores.Opening = { schemas, name in try await Scratch.open(schemas, name) }

    /// Each decorator alone and, at the size `prove`, over the others. PostgreSQL cannot be the primary, because other
    /// processes may write it.
    private static var fixtures: [StoreFixture] {
        let (sealed, mirrored) = (StackedStores.sealed(postgres), StackedStores.mirrored(StoreFixture.memory, postgres))
        let alone = [
            fixture("sealed postgres", sealed),
            fixture("postgres as a mirror", mirrored),
            fixture("read-only postgres", StackedStores.readOnly(postgres)),
        ]
        let stacks = [
            fixture("sealed over mirrored postgres", StackedStores.sealed(mirrored)),
            fixture(
                "mirrored over sealed postgres",
                StackedStores.mirrored(StackedStores.sealed(StoreFixture.memory), sealed)),
            fixture("read-only over sealed postgres", StackedStores.readOnly(sealed)),
            fixture("read-only over mirrored postgres", StackedStores.readOnly(mirrored)),
        ]
        return RunSize.current == .prove ? alone + stacks : alone
    }

    /// Below the size `prove`, a part of the laws.
    private static let laws = StoreContract.laws.enumerated()
        .filter { RunSize.current == .prove || $0.offset % 6 == 0 }.map(\.element)

    @Test(arguments: fixtures)
    func `a decorator keeps every law that its capabilities let it keep`(fixture: StoreFixture) async {
        await expectKept(fixture, laws: Self.laws)
    }

    private static func fixture(_ name: String, _ open: @escaping StackedStores.Opening) -> StoreFixture {
        let member = name.contains("mirror") ? "/mirror" : ""
        return StoreFixture(name) { schemas, scratch in
            let seals = name.contains("sealed")
            return try await open(seals ? schemas.sealingAll(except: SealedContractTests.plain) : schemas, scratch)
        } copy: { scratch, other in
            try await Scratch.copy(scratch + member, to: other + member)
        } discard: { scratch in
            await Scratch.drop(scratch + member)
        }
    }
}
#endif
