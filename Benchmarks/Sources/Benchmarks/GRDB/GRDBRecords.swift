import Foundation
import GRDB
import LarderDomain

/// A record of a dish.
protocol GRDBDish: FetchableRecord, PersistableRecord, Equatable, Sendable {
    init(_ dish: Stored<Dish>)

    var id: UUID { get }
    var version: Int64 { get set }
    var sum: Sum { get }

    static func find(_ id: UUID, in database: Database) throws -> Self?
    static func all(_ database: Database) throws -> [Self]
    static func prepared(in minutes: Int, _ database: Database) throws -> [Self]
}

/// The records of an aggregate.
protocol GRDBFeast: Sendable {
    init(_ feast: Stored<Feast>)

    var id: UUID { get }
    var sum: Sum { get }
    mutating func changeStep(to text: String)

    static func load(_ ids: [UUID], _ database: Database) throws -> [Self]
    func insert(_ database: Database) throws
    /// Writes the differences from the stored aggregate, and its next version.
    func update(from stored: Self, _ database: Database) throws
}

extension Database {
    /// Raises the version of an aggregate that has the expected one.
    func raiseVersion(of feast: UUID, expecting version: Int64) throws {
        let statement = try cachedStatement(
            sql: "UPDATE feast SET version = version + 1 WHERE id = ? AND version = ?")
        try statement.execute(arguments: [feast, version])
        guard changesCount == 1 else { throw DatabaseError(message: "lost") }
    }
}

extension UUID {
    /// GRDB stores a `UUID` in the same format as Larder stores an id: as a blob of 16 bytes.
    init(_ id: RawID) {
        self = withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    var rawID: RawID {
        withUnsafeBytes(of: uuid) { bytes in
            RawID(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}
