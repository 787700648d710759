import LarderApp
import LarderHTTP

extension BadInput {
    /// Invalid or unsupported header fields.
    static let headers: [BadInput] = [
        BadInput(
            "no media type", "POST /v1/tags as bob", "Content-Type:", body: "{}", is: .unsupportedMediaType,
            says: "application/json"),
        BadInput(
            "another media type", "POST /v1/tags as bob", "Content-Type: text/json", body: "{}",
            is: .unsupportedMediaType,
            says: "application/json"),
        BadInput(
            "two media types", "POST /v1/tags as bob", "Content-Type: application/json, text/plain", body: "{}",
            is: .unsupportedMediaType, says: "application/json"),
        BadInput(
            "another charset", "POST /v1/tags as bob", "Content-Type: application/json; charset=iso-8859-1",
            body: #"{"name":"a"}"#, is: .unsupportedMediaType, says: "UTF-8"),
        BadInput(
            "an import in another charset", "POST /v1/import as bob",
            "Content-Type: application/x-ndjson;v=1; Charset=\"UTF-16\"", body: "{}", is: .unsupportedMediaType,
            says: "UTF-8"),
        BadInput(
            "a media type with a blank", "POST /v1/tags as bob", "Content-Type: app lication/json", body: "{}",
            is: .unsupportedMediaType, says: "application/json"),
        BadInput(
            "a body that is compressed", "POST /v1/tags as bob", "Content-Encoding: gzip", body: #"{"name":"a"}"#,
            is: .unsupportedMediaType, says: "Content-Encoding"),
        BadInput(
            "an import that is compressed", "POST /v1/import as bob", "Content-Encoding: br",
            "Content-Type: application/x-ndjson", body: "{}", is: .unsupportedMediaType, says: "Content-Encoding"),
        BadInput(
            "JSON for a patch", "PATCH /v1/tags/<tag> as ada", "If-Match: *", "Content-Type: application/json",
            body: "{}", is: .unsupportedMediaType, says: "application/merge-patch+json"),
        BadInput(
            "a JSON patch", "PATCH /v1/tags/<tag> as ada", "If-Match: *", "Content-Type: application/json-patch+json",
            body: "[]", is: .unsupportedMediaType, says: "application/merge-patch+json"),
        put("no If-Match", "X-Nothing: a", .preconditionRequired),
        put("an entity tag without quotes", "If-Match: 00000000-1", .preconditionFailed),
        put("a weak entity tag", "If-Match: W/<etag>", .preconditionFailed),
        put("entity tags of something else", #"If-Match: "a", "b""#, .preconditionFailed),
        put("an asterisk in a list", #"If-Match: *, "b""#, .preconditionFailed),
        put("an asterisk in quotes", #"If-Match: "*""#, .preconditionFailed),
        put("an empty If-Match", "If-Match:", .preconditionFailed),
        put("If-None-Match in its place", "If-None-Match: *", .preconditionFailed),
        BadInput(
            "a key of nothing", "POST /v1/tags as bob", "Idempotency-Key:", body: #"{"name":"a"}"#, is: .badRequest,
            says: "Idempotency-Key"),
        BadInput(
            "a key with a blank", "POST /v1/tags as bob", "Idempotency-Key: a b", body: #"{"name":"a"}"#,
            is: .badRequest,
            says: "Idempotency-Key"),
        BadInput(
            "a key of 256 characters", "POST /v1/tags as bob",
            "Idempotency-Key: \(String(repeating: "k", count: 256))", body: #"{"name":"a"}"#, is: .badRequest,
            says: "Idempotency-Key"),
        BadInput(
            "a key where answers are not kept", "POST /v1/users/<bob>/tokens as ada", "Idempotency-Key: a",
            body: #"{"label":"a"}"#, is: .badRequest, says: "Idempotency-Key"),
        authorization("a token of no kind", "<expired.token>"),
        authorization("a password", "Basic YWRhOmFkYQ=="),
        authorization("no token", "Bearer"),
        authorization("two tokens", "Bearer a b"),
        authorization("a token that never was", "Bearer larder_\(String(repeating: "A", count: 43))"),
        authorization("a token that is too short", "Bearer larder_a"),
        authorization("a token that expired", "Bearer <expired.token>"),
        authorization("a token that is revoked", "Bearer <revoked.token>"),
        authorization("a token of a user who is gone", "Bearer <orphan.token>"),
    ]

    private static func put(_ name: String, _ header: String, _ kind: Problem.Kind) -> BadInput {
        let says = kind == .preconditionRequired ? "If-Match" : "has changed"
        return BadInput(name, "PUT /v1/tags/<tag> as ada", header, body: #"{"name":"a"}"#, is: kind, says: says)
    }

    /// Refused also on routes that do not require a token.
    private static func authorization(_ name: String, _ value: String) -> BadInput {
        BadInput(name, "GET /v1/recipes", "Authorization: \(value)", is: .unauthorized, says: "/v1/recipes")
    }
}
