#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif
internal import LarderDomain

extension Cursor {
    /// The first byte of every cursor, so that a later form can be told from this one.
    private static var format: UInt8 { 1 }

    /// The place where a page of a request ended, with the number by which the request is recognised again.
    init(_ place: Place, in request: ReadRequest) {
        var writer = ByteWriter()
        writer.append(Self.format)
        writer.append(request.fingerprint)
        writer.append(place.id)
        for value in place.values { writer.append(value) }
        let base64 = Data(writer.bytes).base64EncodedString()
        self.init(rawValue: String(base64.compactMap { Self.urlSafe[$0] ?? $0 }.filter { $0 != "=" }))
    }

    private static let urlSafe: [Character: Character] = ["+": "-", "/": "_"]
    private static let standard: [Character: Character] = ["-": "+", "_": "/"]

    /// The place where the page before ended.
    ///
    /// - Throws: `unsupportedQuery` when this is no cursor, or one of another query.
    func place(in request: ReadRequest) throws(PersistencyError) -> Place {
        let base64 = String(rawValue.map { Self.standard[$0] ?? $0 })
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64 + padding) else { throw .unsupportedQuery("a malformed cursor") }
        var reader = ByteReader(Array(data))
        guard reader.byte() == Self.format, let fingerprint = reader.word(), let id = reader.id() else {
            throw .unsupportedQuery("a malformed cursor")
        }
        guard fingerprint == request.fingerprint else {
            throw .unsupportedQuery("a cursor of another query")
        }
        var values: [Value] = []
        for term in request.order {
            guard let value = reader.value(), term.holds(value, in: request.schema) else {
                throw .unsupportedQuery("a malformed cursor")
            }
            values.append(value)
        }
        guard reader.isAtEnd else { throw .unsupportedQuery("a malformed cursor") }
        return Place(values: values, id: id)
    }
}

extension OrderTerm {
    /// Whether a root can have this value in this term: a cursor from outside may claim anything.
    fileprivate func holds(_ value: Value, in schema: EntitySchema) -> Bool {
        switch operand {
        case .column(let index):
            let column = schema.columns[index]
            return value == .null ? column.isNullable : column.type.holds(value)
        case .id: return ColumnType.id.holds(value)
        default: return ColumnType.integer.holds(value)
        }
    }
}
