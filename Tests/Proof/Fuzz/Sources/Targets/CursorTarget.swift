#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

@testable internal import LarderData

/// Cursors, which clients send back.
///
/// The first byte selects the query, and how the others are used: as the text of a cursor, or as the position in a
/// cursor for this query, because random bytes never match a query's number.
enum CursorTarget {
    private static let schema = EntitySchema(
        name: "thing",
        columns: [
            Column(name: "count", type: .integer, isNullable: true), Column(name: "weight", type: .real),
            Column(name: "name", type: .text, isNullable: true), Column(name: "bytes", type: .blob),
            Column(name: "day", type: .day), Column(name: "seen", type: .timestamp),
            Column(name: "open", type: .boolean),
        ])

    private static let requests = [
        ReadRequest(schema),
        ReadRequest(schema, order: [OrderTerm(.column(0)), OrderTerm(.column(2), isDescending: true)]),
        ReadRequest(schema, order: [OrderTerm(.column(1)), OrderTerm(.column(3)), OrderTerm(.id)]),
        ReadRequest(schema, order: [4, 5, 6].map { OrderTerm(.column($0)) }),
    ]

    static func decode(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let request = requests[Int(first % 4)]
        let rest = bytes.dropFirst()
        let cursor = first < 0x80 ? Cursor(rawValue: String(decoding: rest, as: UTF8.self)) : sealed(rest, in: request)
        guard let position = try? cursor.position(in: request), case .place(let place) = position else { return }
        let again = Cursor(place, in: request)
        guard again.rawValue.utf8.count <= Cursor.maximumLength, (try? again.position(in: request)) == position else {
            fail("\(place) does not come back from its cursor")
        }
    }

    /// A cursor for a request, with any bytes as its position.
    private static func sealed(_ bytes: ArraySlice<UInt8>, in request: ReadRequest) -> Cursor {
        var writer = ValueWriter()
        writer.append(UInt8(3))
        writer.append(fixed: request.fingerprint)
        let base64 = Data(writer.bytes + bytes).base64EncodedString()
        return Cursor(rawValue: base64.filter { $0 != "=" }.replacing("+", with: "-").replacing("/", with: "_"))
    }
}
