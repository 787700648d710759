public import HTTPTypes
internal import Hummingbird
public import LarderApp
public import LarderDomain

/// The query parameters that select a page of a list: `limit` (1 to 200, by default 50), `after` or
/// `before`, and `total`.
public struct PageParameters: Sendable {
    /// The maximum number of items. A page has fewer if they would exceed the maximum size of a page.
    public internal(set) var limit: Int
    /// The size of a page's entities in bytes; see `Query.byteLimit`. It bounds the memory of a page.
    public let byteLimit = 1_000_000
    /// The position that the page starts after; `nil` for the first page.
    public let after: Cursor?
    /// The position that the page ends before; `nil` without a previous page.
    public let before: Cursor?
    /// Whether the response includes the total number of items.
    public let includesTotal: Bool

    /// - Throws: `Problem` with 400 naming an invalid parameter.
    public init(_ parameters: inout QueryParameters) throws(Problem) {
        limit = try parameters.integer("limit", in: 1...200) ?? 50
        after = parameters.text("after").map(Cursor.init(rawValue:))
        before = parameters.text("before").map(Cursor.init(rawValue:))
        guard after == nil || before == nil else {
            throw .badRequest("The query parameters 'after' and 'before' exclude each other.")
        }
        includesTotal = try parameters.flag("total")
    }

    /// The header field with the links to the next and the previous page.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the request.
    ///   - next: The position of the next page; `nil` if this is the last one.
    ///   - previous: The position of the previous page; `nil` if this is the first one.
    ///   - path: The path of the list.
    public static func link(
        _ parameters: QueryParameters, to next: Cursor?, previous: Cursor? = nil, path: String
    ) -> HTTPFields {
        let links = [("after", next, "next"), ("before", previous, "prev")].compactMap { name, cursor, relation in
            cursor.map { cursor in
                let query = parameters.query(setting: name, to: cursor.rawValue, without: ["after", "before"])
                return "<\(path)?\(query)>; rel=\"\(relation)\""
            }
        }
        guard !links.isEmpty, let name = HTTPField.Name("Link") else { return [:] }
        return [name: links.joined(separator: ", ")]
    }
}

extension QueryPage {
    /// The members after the items of a list.
    public var listMembers: [JSON.Member] { JSON.Member.ofList(next, previous, total) }
}

extension ReadModelPage {
    /// The members after the items of a list.
    public var listMembers: [JSON.Member] { JSON.Member.ofList(next, previous, total) }
}

extension JSON.Member {
    /// `previous` only where there is a previous page.
    fileprivate static func ofList(_ next: Cursor?, _ previous: Cursor?, _ total: Int?) -> [JSON.Member] {
        [.init("next", next.map { .string($0.rawValue) } ?? .null)]
            + (previous.map { [.init("previous", .string($0.rawValue))] } ?? [])
            + (total.map { [.init("total", .integer(Int64($0)))] } ?? [])
    }
}
