import LarderApp
import LarderHTTP

extension BadInput {
    /// Fields of the wrong type, out of bounds, or missing.
    static let fields: [BadInput] = [
        recipe("a list where an object is asked", "[]", "must be an object"),
        recipe("a text where an object is asked", #""Soup""#, "must be an object"),
        recipe("null where an object is asked", "null", "must be an object"),
        recipe("no required member", "{}", #""/name","detail":"is required""#),
        recipe("null for a required member", #"{"name":null}"#, #""/name","detail":"is required""#),
        recipe("a number for a text", #"{"name":7}"#, #""/name","detail":"must be a string""#),
        recipe("an empty name", #"{"name":""}"#, "1 to 200 characters"),
        recipe("a name of blanks", #"{"name":" \t\u2003"}"#, "must not be blank"),
        recipe(
            "a name of 201 characters", #"{"name":"\#(String(repeating: "ä", count: 201))"}"#, "1 to 200 characters"),
        recipe(
            "a text for an integer", #"{"name":"a","difficulty":"3"}"#, #""/difficulty","detail":"must be an integer""#),
        recipe("true for an integer", #"{"name":"a","difficulty":true}"#, "/difficulty"),
        recipe("a fraction for an integer", #"{"name":"a","difficulty":3.0}"#, "without fraction or exponent"),
        recipe("an exponent for an integer", #"{"name":"a","cookingMinutes":1e1}"#, "without fraction or exponent"),
        recipe("minus zero with a fraction", #"{"name":"a","rating":-0.0}"#, "without fraction or exponent"),
        recipe("an integer of 65 bits", #"{"name":"a","cookingMinutes":18446744073709551616}"#, "at most 64 bits"),
        recipe(
            "an integer of 64 bits out of range", #"{"name":"a","cookingMinutes":9223372036854775807}"#, "0 to 525600"),
        recipe("a negative integer", #"{"name":"a","preparationMinutes":-1}"#, "0 to 525600"),
        recipe("a rating of 6", #"{"name":"a","rating":6}"#, "0 to 5"),
        recipe("a difficulty of 0", #"{"name":"a","difficulty":0}"#, "1 to 5"),
        recipe("a text for a truth value", #"{"name":"a","completed":"yes"}"#, "must be true or false"),
        recipe("0 for a truth value", #"{"name":"a","completed":0}"#, "must be true or false"),
        recipe("a day that does not exist", #"{"name":"a","published":"2026-02-29"}"#, "must be a day"),
        recipe("an instant for a day", #"{"name":"a","published":"2026-03-01T00:00:00Z"}"#, "must be a day"),
        recipe("an object for a list", #"{"name":"a","steps":{}}"#, #""/steps","detail":"must be a list""#),
        recipe(
            "a text in a list of objects", #"{"name":"a","steps":["Cook."]}"#,
            #""/steps/0","detail":"must be an object""#),
        recipe("a step without a text", #"{"name":"a","steps":[{"text":"a"},{}]}"#, "/steps/1/text"),
        recipe("a timer of no time", #"{"name":"a","steps":[{"text":"a","timerSeconds":0}]}"#, "/steps/0/timerSeconds"),
        recipe("1001 steps", #"{"name":"a","steps":[\#(list(#"{"text":"a"}"#, 1001))]}"#, "at most 1000 entries"),
        recipe("a text for a number", #"{"name":"a","ingredients":[{"text":"a","quantity":"1"}]}"#, "must be a number"),
        recipe("a negative quantity", #"{"name":"a","ingredients":[{"text":"a","quantity":-1}]}"#, "at least 0"),
        recipe("a tag twice", #"{"name":"a","tags":[{"id":"<tag>"},{"id":"<tag>"}]}"#, "must not have duplicates"),
        recipe("a tag that is none", #"{"name":"a","tags":[{"id":"<recipe>"}]}"#, "refers to a missing object"),
        recipe("a tag by name", #"{"name":"a","tags":[{"name":"Soup"}]}"#, "/tags/0/id"),
        recipe("an id that is none", #"{"name":"a","tags":[{"id":"Soup"}]}"#, "must be an id"),
        recipe("an owner who is none", #"{"name":"a","owner":7}"#, #""/owner","detail":"must be an id"#),
        BadInput(
            "an instant without its zone", "POST /v1/sessions as bob", body: #"{"startedAt":"2026-03-01T18:30:00"}"#,
            is: .invalidFields, says: "must be an instant"),
        BadInput(
            "a number for an instant", "POST /v1/sessions as bob", body: #"{"startedAt":1795000000}"#,
            is: .invalidFields,
            says: "must be an instant"),
        BadInput(
            "1001 repetitions", "POST /v1/recipes/<recipe>/cook as bob", body: #"{"repetitions":1001}"#,
            is: .invalidFields,
            says: "1 to 1000"),
        BadInput(
            "an address without @", "POST /v1/users as ada", body: #"{"email":"a","firstName":"A","lastName":"B"}"#,
            is: .invalidFields, says: "/email"),
        BadInput(
            "a role that does not exist", "PATCH /v1/users/<bob> as ada", "If-Match: *", body: #"{"role":"queen"}"#,
            is: .invalidFields, says: "reader, cook, admin"),
        BadInput(
            "a patch with a misspelt member", "PATCH /v1/tags/<tag> as ada", "If-Match: *", body: #"{"nmae":"a"}"#,
            is: .invalidFields, says: "/nmae"),
        BadInput(
            "a language that is none", "POST /v1/brands as bob", body: #"{"name":"a","language":"1"}"#,
            is: .invalidFields,
            says: "must be a language tag"),
        BadInput(
            "a number among texts", "POST /v1/brands as bob", body: #"{"name":"a","language":"de","keywords":["a",7]}"#,
            is: .invalidFields, says: "/keywords/1"),
        BadInput(
            "a token for 366 days", "POST /v1/users/<bob>/tokens as ada", body: #"{"label":"a","days":366}"#,
            is: .invalidFields, says: "1 to 365"),
        BadInput(
            "a tag merged with itself", "POST /v1/tags/merge as ada", body: #"{"source":"<tag>","target":"<tag>"}"#,
            is: .invalidFields, says: "must be another tag"),
    ]

    private static func recipe(_ name: String, _ body: String, _ says: String) -> BadInput {
        BadInput(name, "POST /v1/recipes as bob", body: body, is: .invalidFields, says: says)
    }

    private static func list(_ element: String, _ count: Int) -> String {
        [String](repeating: element, count: count).joined(separator: ",")
    }
}
