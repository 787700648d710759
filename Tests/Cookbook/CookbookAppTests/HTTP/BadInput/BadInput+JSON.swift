import LarderApp
import LarderHTTP

extension BadInput {
    /// Bodies that are invalid JSON, or JSON that the service refuses.
    static let json: [BadInput] = [
        json("a name that is there twice", #"{"name":"a","name":"b"}"#, "duplicate name"),
        json("a name that is there twice, once escaped", #"{"name":"a","n\u0061me":"b"}"#, "duplicate name"),
        json("a comma at the end of an object", #"{"name":"a",}"#, "must be followed by a name"),
        json("a comma at the end of a list", #"{"name":["a",]}"#, "must be followed by a value"),
        json("a remark of one line", "{\"name\":\"a\"} // b", "nothing may follow"),
        json("a remark inside", #"{/* b */"name":"a"}"#, "a name in double quotes"),
        json("single quotes", #"{'name':'a'}"#, "a name in double quotes"),
        json("a name without quotes", #"{name:"a"}"#, "a name in double quotes"),
        json("no colon", #"{"name" "a"}"#, "a colon is expected"),
        json("two values", #"{"name":"a"}{"name":"b"}"#, "nothing may follow"),
        json("U+0000 escaped", #"{"name":"a\u0000"}"#, "U+0000"),
        json("a control character", "{\"name\":\"a\tb\"}", "control characters"),
        json("half of a surrogate pair", #"{"name":"\ud83d"}"#, "surrogate"),
        json("the other half of a surrogate pair", #"{"name":"\ude00a"}"#, "surrogate"),
        json("an escape that does not exist", #"{"name":"\x41"}"#, "invalid escape"),
        json("bytes that are no UTF-8", "(bytes 7b 22 6e 61 6d 65 22 3a 22 ff 22 7d)", "not UTF-8"),
        json("UTF-8 that is longer than need be", "(bytes 7b 22 6e 61 6d 65 22 3a 22 c0 af 22 7d)", "not UTF-8"),
        json("UTF-16", "(bytes 7b 00 7d 00)", "is not JSON"),
        json("a byte order mark", "(bytes ef bb bf 7b 7d)", "byte order mark"),
        json("a zero before a number", #"{"name":007}"#, "leading zero"),
        json("a plus before a number", #"{"name":+7}"#, "a value is expected"),
        json("a number without end", #"{"name":1e999}"#, "too large"),
        json("not a number", #"{"name":NaN}"#, "a value is expected"),
        json("depth of 65", String(repeating: "[", count: 65) + String(repeating: "]", count: 65), "more than 64 deep"),
        json("an empty body", "", "the document is empty"),
        json("blanks", "   ", "the document is empty"),
        json("half of an object", #"{"name":"a""#, "a comma or '}'"),
        json("a text without end", #"{"name":"a"#, "ends inside quotes"),
        json("a form", "name=a", "a value is expected"),
        BadInput(
            "a patch that is no JSON", "PATCH /v1/tags/<tag> as ada", "If-Match: *", body: "name", is: .badRequest,
            says: "is not JSON"),
        BadInput(
            "a replacement that is no JSON", "PUT /v1/tags/<tag> as ada", "If-Match: *", body: "{", is: .badRequest,
            says: "is not JSON"),
    ]

    private static func json(_ name: String, _ body: String, _ says: String) -> BadInput {
        BadInput(name, "POST /v1/tags as bob", body: body, is: .badRequest, says: says)
    }
}
