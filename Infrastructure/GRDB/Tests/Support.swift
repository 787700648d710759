#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderGRDB
import LarderStoreContract

extension StoreFixture {
    private static let folder = FileManager.default.temporaryDirectory.appending(path: "larder-grdb").path

    static let grdb = StoreFixture("grdb") { schemas, scratch in
        try await GRDBStore.open(path: path(scratch), schemas: schemas, durability: .normal)
    } copy: { scratch, other in
        try FileManager.default.copyItem(atPath: "\(folder)/\(scratch)", toPath: "\(folder)/\(other)")
    } discard: { scratch in
        remove(scratch)
    }

    static func remove(_ scratch: String) { try? FileManager.default.removeItem(atPath: "\(folder)/\(scratch)") }

    /// The path of a database in a scratch folder, which is created.
    static func path(_ scratch: String) throws -> String {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(scratch)", withIntermediateDirectories: true)
        return "\(folder)/\(scratch)/library.sqlite"
    }
}
