public import HTTPTypes
internal import Hummingbird
public import LarderApp
public import LarderDomain

/// The query parameters that select a page of a list: `limit` (1 to 200, by default 50), `after`, and `total`.
public struct PageParameters: Sendable {
    /// The maximum number of items. A page has fewer if they would exceed the maximum size of a page.
    public internal(set) var limit: Int
    /// The size of a page's entities in bytes; see `Query.byteLimit`. It bounds the memory of a page.
    public let byteLimit = 1_000_000
    /// The position that the page starts after; `nil` for the first page.
    public let after: Cursor?
    /// Whether the response includes the total number of items.
    public let includesTotal: Bool

    /// - Throws: `Problem` with 400 naming an invalid parameter.
    public init(_ parameters: inout QueryParameters) throws(Problem) {
        limit = try parameters.integer("limit", in: 1...200) ?? 50
        after = parameters.text("after").map(Cursor.init(rawValue:))
        includesTotal = try parameters.flag("total")
    }

    /// The header field with the link to the next page.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the request.
    ///   - next: The position of the next page; `nil` if this is the last one.
    ///   - path: The path of the list.
    public static func link(_ parameters: QueryParameters, to next: Cursor?, path: String) -> HTTPFields {
        guard let next, let name = HTTPField.Name("Link") else { return [:] }
        return [name: "<\(path)?\(parameters.query(setting: "after", to: next.rawValue))>; rel=\"next\""]
    }
}

extension QueryPage {
    /// The members after the items of a list.
    public var listMembers: [JSON.Member] {
        let next = JSON.Member("next", next.map { .string($0.rawValue) } ?? .null)
        return [next] + (total.map { [JSON.Member("total", .integer(Int64($0)))] } ?? [])
    }
}
