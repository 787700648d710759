import CookbookDomain
import HTTPTypes
import Hummingbird
import LarderDomain
import LarderTesting
import NIOCore
import NIOHTTP1

@testable import CookbookApp
@testable import LarderApp
@testable import LarderData
@testable import LarderHTTP

extension Decoder {
    /// All decoders of external bytes; ``TextReader`` covers the fields of entities.
    static let all: [Decoder] = [
        Decoder("JSON", limit: 262_144, around: ("\"", "\""), also: jsonTexts) {
            guard let json = try? JSON(parsing: $0) else { return }
            _ = json.merging(patch: json).bytes()
            _ = JSONFields(json)["name"]
        },
        Decoder("names in JSON", limit: 262_144, around: ("{\"a\":1,\"", "\":1}")) { _ = try? JSON(parsing: $0) },
        Decoder("lines", limit: 1 << 20, also: { [("lines", repeated("a\n", $0)), ("blanks", repeated(" ", $0))] }) {
            var cutter = LineCutter(maximumLength: 1 << 20)
            for start in stride(from: 0, to: $0.count, by: 100) {
                cutter.append(Array($0[start...].prefix(100)))
                while let cut = cutter.next() { if case .line(let line) = cut { _ = line.isBlank } }
            }
        },
        Decoder("documents", limit: 1 << 20, around: ("[{\"@type\":\"", "\"}]"), also: jsonTexts) {
            guard let json = try? JSON(parsing: $0) else { return }
            _ = RecipeItem.items(in: json)
        },
        Decoder("recipes of many parts", limit: 1 << 20, also: recipes) {
            _ = RecipeItem.items(in: LineCutter.Line(number: 1, bytes: $0))
        },
        Decoder("files of recipes", limit: 1 << 20, also: { jsonTexts($0) + recipes($0) + files($0) }) { bytes in
            guard let folder = try? TemporaryFolder(),
                let path = try? folder.file("recipes", String(decoding: bytes, as: UTF8.self)),
                var source = try? RecipeSource(path: path)
            else { return }
            while (try? source.next()) != nil {}
        },
        Decoder("places of references", limit: 262_144, around: ("{\"a\":[\"", "\"]}"), also: jsonTexts) {
            guard let json = try? JSON(parsing: $0) else { return }
            _ = json.place(of: Dangling(entity: "recipe", column: "tags", id: RawID(high: 1, low: 1)))
        },
        Decoder("queries", limit: 8_192, around: ("/?name=", "&after=a"), also: queries) {
            let path = String(decoding: $0, as: UTF8.self)
            let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)
            guard var query = try? QueryParameters(Request(head: head, body: RequestBody(buffer: ByteBuffer()))) else {
                return
            }
            _ = query.query(setting: "after", to: "b")
            _ = try? query.text("name", atMost: 200)
        },
        Decoder("header fields", limit: 32_768, also: { [("tags", repeated("\"a\", ", $0))] }) {
            let text = String(decoding: $0, as: UTF8.self)
            let limits = ServerLimits()
            let head = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/", headers: ["host": "a", "if-none-match": text])
            guard (try? HeadCheck(limits: limits).checked(head)) != nil else { return }
            var fields: HTTPFields = [:]
            (fields[.ifNoneMatch], fields[.contentType]) = (text, text)
            let request = Request(
                head: HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/", headerFields: fields),
                body: RequestBody(buffer: ByteBuffer()))
            _ = try? Preconditions(request).isNotModified(EntityTag([1]))
            _ = request.mediaType
        },
        Decoder("cursors", limit: 8_192, also: { [("base64", repeated("AgAA", $0))] }) {
            let request = ReadRequest(tag, order: [OrderTerm(.column(0))])
            _ = try? Cursor(rawValue: String(decoding: $0, as: UTF8.self)).position(in: request)
        },
        Decoder("durations", limit: 262_144, also: { [("hours", "PT" + repeated("1H", $0)), digits($0)] }) {
            _ = ISODuration(String(decoding: $0, as: UTF8.self))
        },
        Decoder("instants", limit: 262_144, around: ("2026-11-22T10:00:00", "Z"), also: { [digits($0)] }) {
            _ = Timestamp(rfc3339: String(decoding: $0, as: UTF8.self))
        },
        Decoder(
            "days, ids, languages and secrets", limit: 262_144, also: { [("hyphens", repeated("-", $0)), digits($0)] }
        ) {
            let text = String(decoding: $0, as: UTF8.self)
            _ = (CalendarDay(text), RawID(text), LanguageTag(rawValue: text), TokenSecret(text, prefix: "larder_"))
            _ = ChangeToken(text)
        },
        Decoder(
            "locations of stores", limit: 131_072, around: ("sqlite:/a?", "=b"),
            also: { [("slashes", repeated("a/", $0))] }
        ) {
            _ = try? StoreLocation(String(decoding: $0, as: UTF8.self), environment: UserEnvironment(["HOME": "/a"]))
        },
        Decoder("paths", limit: 8_192, around: ("/v1/", ""), also: { [("segments", repeated("/a", $0))] }) {
            _ = routes.methods(of: String(decoding: $0, as: UTF8.self))
        },
        Decoder("texts below the edges", limit: 262_144) {
            let text = String(decoding: $0, as: UTF8.self)
            let composed = text.canonicallyComposed
            _ = (composed.lowercased().hashValue, composed.trimmed, Value.text(text) == .text("a"), composed.count)
        },
    ]

    private static let tag = EntitySchema(name: "tag", columns: [Column(name: "name", type: .text)])

    private static let routes: RouteTable = {
        let (table, router) = (RouteTable(), Router(context: BasicRequestContext.self))
        for path in ["v1/recipes", "v1/recipes/{id}", "v1/recipes/{id}/photo"] {
            router.get(RouterPath(path)) { _, _ in HTTPResponse.Status.ok }
        }
        table.fill(from: router)
        return table
    }()
}
