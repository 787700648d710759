#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif
internal import LarderDomain

extension Cursor {
    /// The first byte of every cursor, the version of the format.
    private static var format: UInt8 { 3 }
    /// The maximum number of bytes that base64 encodes in ``Cursor/maximumLength`` characters.
    private static var maximumSize: Int { maximumLength / 4 * 3 }

    /// The end of a page.
    enum Position: Hashable {
        /// The order values of the last root, and its id.
        case place(Place)
        /// The id of the last root, if its values exceed the maximum size.
        case root(RawID)
    }

    private enum Kind {
        static let place: UInt8 = 0
        static let root: UInt8 = 1
    }

    /// Encodes the end of a page, with the fingerprint of the request.
    init(_ place: Place, in request: ReadRequest) {
        func header(_ kind: UInt8) -> ValueWriter {
            var writer = ValueWriter()
            writer.append(Self.format)
            writer.append(fixed: request.fingerprint)
            writer.append(kind)
            writer.append(place.id)
            return writer
        }
        var writer = header(Kind.place)
        for value in place.values { writer.append(value) }
        if writer.bytes.count > Self.maximumSize { writer = header(Kind.root) }
        let base64 = Data(writer.bytes).base64EncodedString()
        self.init(rawValue: base64.replacing("+", with: "-").replacing("/", with: "_").filter { $0 != "=" })
    }

    /// Encodes a place that need not be that of a root; `nil` if its values exceed the maximum size.
    init?(exactly place: Place, in request: ReadRequest) {
        self.init(place, in: request)
        guard case .place = try? position(in: request) else { return nil }
    }

    /// Decodes the end of the previous page. Throws `unsupportedQuery` for a malformed cursor or one of another query.
    func position(in request: ReadRequest) throws(PersistencyError) -> Position {
        guard let bytes, case var reader = ValueReader(bytes), (try? reader.byte()) == Self.format,
            let fingerprint = try? reader.fixed(), let kind = try? reader.byte(), let id = try? reader.id()
        else { throw .unsupportedQuery("a malformed cursor") }
        guard fingerprint == request.fingerprint else {
            throw .unsupportedQuery("a cursor of another query")
        }
        var values: [Value] = []
        if kind == Kind.place {
            for term in request.order {
                guard let value = try? reader.value(), term.accepts(value, in: request.schema) else {
                    throw .unsupportedQuery("a malformed cursor")
                }
                values.append(value)
            }
        }
        guard reader.isAtEnd, kind <= Kind.root else { throw .unsupportedQuery("a malformed cursor") }
        return kind == Kind.root ? .root(id) : .place(Place(values: values, id: id))
    }

    private var bytes: [UInt8]? {
        guard rawValue.utf8.count <= Self.maximumLength else { return nil }
        let base64 = rawValue.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)).map(
            Array.init)
    }
}

extension ReadRequest {
    /// The request for the page after a cursor.
    ///
    /// For a cursor with the id of a root, the root's current values are read. The root must still satisfy the
    /// request's condition: otherwise, a forged cursor would compare values that the caller may not read.
    ///
    /// - Parameter read: Reads a page of at most one root.
    /// - Throws: `unsupportedQuery` for a cursor that is not of this request, or whose root is no longer in the list;
    ///   errors of `read`.
    func continued(
        after cursor: Cursor?,
        read: (ReadRequest) async throws(PersistencyError) -> ReadResult<StorageObject>
    ) async throws(PersistencyError) -> ReadRequest {
        guard let cursor else { return self }
        var request = self
        switch try cursor.position(in: self) {
        case .place(let place): request.after = place
        case .root(let id):
            let isRoot = Condition.compare(.id, .equal, .literal(.id(id)))
            let one = ReadRequest(schema, where: .all([condition, isRoot]), limit: 1, consistency: consistency)
            guard let root = try await read(one).items.first else {
                throw .unsupportedQuery("a cursor at an entity that is no longer in the list")
            }
            request.after = Place(of: root, in: order)
        }
        return request
    }

    /// A hash that identifies the query: 64-bit FNV-1a over schema, condition and order, without the page size.
    ///
    /// Stable across processes, unlike `Hasher`. It detects mistakes, not attacks.
    var fingerprint: UInt64 {
        let terms = order.map { "\($0.operand) \($0.isDescending)" }
        return "\(schema.name) \(condition) \(terms)".utf8.fingerprint
    }
}

extension OrderTerm {
    /// Whether a root can have this value in this term; cursors are untrusted input.
    fileprivate func accepts(_ value: Value, in schema: EntitySchema) -> Bool {
        switch operand {
        case .column(let index): schema.columns[index].accepts(value)
        case .id: ColumnType.id.accepts(value)
        default: ColumnType.integer.accepts(value)
        }
    }
}
