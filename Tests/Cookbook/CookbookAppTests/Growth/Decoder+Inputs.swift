extension Decoder {
    static func repeated(_ text: String, _ bytes: Int) -> String {
        String(repeating: text, count: bytes / text.utf8.count)
    }

    static func digits(_ bytes: Int) -> (String, String) { ("digits", repeated("7", bytes)) }

    static func jsonTexts(_ bytes: Int) -> [(String, String)] {
        let members = (0..<(bytes / 12)).map { "\"\($0 + 100_000)\":1" }.joined(separator: ",")
        return [
            ("members", "{\(members)}"), ("elements", "[\(repeated("1,", bytes))1]"),
            ("escapes", "\"\(repeated(#"\u00e9\n"#, bytes))\""), digits(bytes),
            ("an error behind many lines", repeated("\n", bytes) + "x"),
            ("an error below a long name", "{\"\(repeated("a", bytes))\":[[[x]]]}"),
            ("escaped marks", "\"\(repeated(#"\u0301\u0323"#, bytes))\""),
            ("nested lists", "[\(repeated("[[[[[[[[1]]]]]]]],", bytes))1]"),
        ]
    }

    static func recipes(_ bytes: Int) -> [(String, String)] {
        let list = "[\(repeated("\"ab\",", bytes))\"a\"]"
        let lines = "\"\(repeated(#"ab\n"#, bytes))\""
        let properties = [
            "name", "description", "author", "recipeYield", "keywords", "recipeIngredient", "recipeInstructions",
            "datePublished", "prepTime", "totalTime", "identifier", "@type", "larder:measures",
        ]
        let of = { (property: String, value: String) in
            ("\(property)", #"{"@type":"Recipe","name":"a","\#(property)x":1,"\#(property)":\#(value)}"#)
        }
        let steps = (0..<(bytes / 40)).map { #"{"@type":"HowToStep","position":\#($0),"text":"a"}"# }
        return properties.flatMap { [of($0, list), of($0, lines)] }
            + [of("recipeInstructions", "[\(steps.joined(separator: ","))]")]
    }

    static func queries(_ bytes: Int) -> [(String, String)] {
        let parameters = (0..<(bytes / 8)).map { "p\($0 + 1_000)=1" }.joined(separator: "&")
        return [
            ("parameters", "/?\(parameters)"), ("escapes", "/?name=\(repeated("%C3%A9", bytes))"),
            ("ids", "/?tag=\(repeated("0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87,", bytes))"),
        ]
    }

    /// Documents over several lines.
    static func files(_ bytes: Int) -> [(String, String)] {
        [
            ("recipes, one a line", repeated(#"{"@type":"Recipe","name":"a"}"# + "\n", bytes)),
            ("objects that never end", repeated("{\n", bytes)), ("lists that never end", repeated("[\n", bytes)),
            ("a list of lines", "[\n" + repeated("{},\n", bytes) + "{}]"),
            ("a graph", #"{"@graph":["# + repeated("{},\n", bytes) + "{}]}"),
            ("names before a graph", "{" + repeated("\"a\":\n1,", bytes) + #""@graph":[]}"#),
        ]
    }
}
