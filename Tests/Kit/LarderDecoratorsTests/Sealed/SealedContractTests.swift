import Foundation
import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
import Testing

@Suite("The contract of a sealed store")
struct SealedContractTests {
    /// The entities and columns that a law sorts, compares by range, matches in part, or counts by. Random queries do so
    /// with all columns of some entities.
    static let plain: Set<String> = [
        "advert", "article", "author", "book", "chapter", "counter", "figure", "footnote", "genre.folded_name",
        "magazine", "member", "note", "parcel.depth", "parcel.maybe_depth", "parcel.maybe_price", "parcel.maybe_sent",
        "parcel.price", "parcel.rate", "parcel.sent", "parcel.stamps", "parcel.state", "parcel.transit",
        "parcel.weight", "review", "seat", "shelf", "specimen", "thing.name", "topic", "venue.branch_city",
        "venue.branch_city_folded", "venue.fee_amount", "venue.motto_folded", "venue.name_folded", "venue.place_city",
        "venue.place_city_folded", "venue.place_street", "venue.season_first", "venue.season_last",
    ]

    @Test(
        arguments: RunSize.current == .quick
            ? [sqlite(except: plain)] : [memory(except: plain), file(except: plain), sqlite(except: plain)])
    func `a sealed store keeps every law, with every column sealed that no law sorts, compares or matches in part`(
        fixture: StoreFixture
    ) async {
        for verdict in await StoreContract.judge(fixture) {
            if case .broken = verdict.verdict { Issue.record("\(fixture): \(verdict)") }
        }
    }

    @Test(.enabled(if: RunSize.current != .quick), arguments: [memory(), file(), sqlite()])
    func `with all columns sealed, a law is broken only by the refusal of a query`(fixture: StoreFixture) async {
        let start = ContinuousClock.now
        var (kept, refused, refusedQueries) = (0, 0, 0)
        for verdict in await StoreContract.judge(fixture) {
            // Many laws of queries are about the order, the groups and the figures of values.
            let isOfQueries = [.queries, .order].contains(verdict.law.group)
            switch verdict.verdict {
            case .kept: kept += isOfQueries ? 0 : 1
            case .notApplicable: break
            case .broken(let reason):
                if isOfQueries { refusedQueries += 1 } else { refused += 1 }
                if !reason.contains("is sealed: a query can") {
                    Issue.record("\(fixture): \(verdict)")
                }
            }
        }
        let figure = "\(kept) laws kept and \(refused) refused, without those of queries: \(refusedQueries) refused"
        print(RunReport("contract, \(fixture)", figure: figure, seed: nil, duration: ContinuousClock.now - start))
        #expect(kept > 3 * refused)
    }

    private static func memory(except plain: Set<String> = []) -> StoreFixture {
        fixture("memory", except: plain) { schemas, _ in MemoryStore(schemas) }
    }

    private static func file(except plain: Set<String> = []) -> StoreFixture {
        fixture("file", except: plain) { schemas, folder in
            try await FileStore.open(.init("\(folder)/log"), schemas: schemas)
        }
    }

    private static func sqlite(except plain: Set<String> = []) -> StoreFixture {
        fixture("sqlite", except: plain) { schemas, folder in
            try await SQLiteStore.open(.init(.file("\(folder)/library.sqlite"), durability: .normal), schemas: schemas)
        }
    }

    private static func fixture(
        _ kind: String, except plain: Set<String>,
        _ base: @escaping @Sendable (SchemaSet, _ folder: String) async throws -> any Store
    ) -> StoreFixture {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-sealed").path
        return StoreFixture("\(kind), \(plain.isEmpty ? "all " : "")sealed") { schemas, scratch in
            let sealed = try schemas.sealingAll(except: plain)
            return try await SealedStore.open(sealed, keys: .fake()) { try await base($0, "\(folder)/\(scratch)") }
        } copy: { scratch, other in
            try FileManager.default.copyItem(atPath: "\(folder)/\(scratch)", toPath: "\(folder)/\(other)")
        } discard: { scratch in
            try? FileManager.default.removeItem(atPath: "\(folder)/\(scratch)")
        }
    }
}
