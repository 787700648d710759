internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Values of a domain that are stored as those of other types.
struct Parcel: Entity {
    let id: EntityID<Parcel>
    var code = UUID(RawID(high: 0, low: 0))
    var sent = Timestamp(microseconds: 0).date
    var label = Data()
    var transit = Duration.zero
    var depth: Int32 = 0
    var stamps: UInt32 = 0
    var weight: Float = 0
    var price: ExactDecimal = 0
    var state = State.packed
    var maybeCode: UUID?
    var maybeSent: Date?
    var maybeLabel: Data?
    var maybeTransit: Duration?
    var maybeDepth: Int32?
    var maybeStamps: UInt32?
    var maybeWeight: Float?
    var maybePrice: ExactDecimal?
    var maybeState: State?
    /// What each kilogram costs.
    var rate: ExactDecimal?

    enum State: String, Codable, CaseIterable {
        case packed, sent, lost
    }
}

extension Parcel.State: ColumnValue {}

enum ParcelMapper: EntityMapper {
    static let mapping = Mapping<Parcel>(
        "parcel", id: \.id,
        [
            .column("code", \.code), .column("sent", \.sent), .column("label", \.label), .column("transit", \.transit),
            .column("depth", \.depth), .column("stamps", \.stamps), .column("weight", \.weight),
            .decimal("price", \.price, scale: 2).settable(in: -1_000...1_000).indexed, .column("state", \.state),
            .column("maybe_code", \.maybeCode), .column("maybe_sent", \.maybeSent),
            .column("maybe_label", \.maybeLabel), .column("maybe_transit", \.maybeTransit),
            .column("maybe_depth", \.maybeDepth), .column("maybe_stamps", \.maybeStamps),
            .column("maybe_weight", \.maybeWeight),
            .decimal("maybe_price", \.maybePrice, scale: 2).settable(in: 0...1_000).unique,
            .column("maybe_state", \.maybeState), .decimal("rate", \.rate, scale: 3),
        ])

    static func entity(from row: inout ObjectReader) throws -> Parcel {
        var parcel = Parcel(id: row.id())
        (parcel.code, parcel.sent, parcel.label) = (try row.next(), try row.next(), try row.next())
        (parcel.transit, parcel.depth, parcel.stamps) = (try row.next(), try row.next(), try row.next())
        (parcel.weight, parcel.price, parcel.state) = (try row.next(), try row.decimal(), try row.next())
        (parcel.maybeCode, parcel.maybeSent, parcel.maybeLabel) = (try row.next(), try row.next(), try row.next())
        (parcel.maybeTransit, parcel.maybeDepth) = (try row.next(), try row.next())
        (parcel.maybeStamps, parcel.maybeWeight) = (try row.next(), try row.next())
        (parcel.maybePrice, parcel.maybeState, parcel.rate) = (try row.decimal(), try row.next(), try row.decimal())
        return parcel
    }
}
