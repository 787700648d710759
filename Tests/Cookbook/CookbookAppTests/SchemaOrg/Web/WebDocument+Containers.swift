extension WebDocument {
    /// A recipe with its shape as the name, in a document with a `@`.
    private static func inside(_ shape: String, _ document: String) -> WebDocument {
        let recipe = #"{"@type": "Recipe", "name": "\#(shape)", "cookTime": "PT5M"}"#
        return WebDocument(shape, document: document.split(separator: "•").joined(separator: recipe), "?+5 min")
    }

    static let containers = [
        inside("main entity", #"{"@type": "WebPage", "name": "Page", "mainEntity": •}"#),
        inside("parts of a page", #"{"@type": "WebPage", "hasPart": [{"@type": "WebPageElement"}, •]}"#),
        inside("graph in an object", #"{"@context": "https://schema.org", "@graph": •}"#),
        inside("graph with false", #"{"@graph": [false, null, 7, "x", {"@type": "WebSite"}, •]}"#),
        inside(
            "array with other types", #"[{"@type": "Organization", "name": "A"}, null, false, •, {"@type": "WebSite"}]"#
        ),
        inside("graph in an array", #"[{"@graph": [{"@type": "WebSite"}, {"@type": "WebPage", "mainEntity": •}]}]"#),
        inside(
            "list of recipes",
            #"{"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "position": 1, "item": •}]}"#),
        inside("page and graph", #"{"@type": "WebPage", "@graph": [•, {"@type": "Person", "name": "A"}]}"#),
        WebDocument(
            "reference to the recipe",
            document: #"""
                {"@graph": [{"@type": "WebPage", "mainEntity": {"@type": "Recipe", "@id": "https://a.example/r#recipe"}},
                  {"@type": ["Recipe", "NewsArticle"], "@id": "https://a.example/r#recipe", "name": "reference to the recipe"}]}
                """#, ""),
    ]

    static let limits = [
        WebDocument(
            "long keyword", #""keywords": ["sweet", "\#(String(repeating: "k", count: 101))"]"#, "#sweet",
            notKept: ["keywords (longer than 100 characters: '\(String(repeating: "k", count: 40))…')"]),
        WebDocument(
            "list in an array", #""keywords": ["\#(String(repeating: "sweet, old ,", count: 10))new"]"#,
            "#sweet; #old; #sweet; #old; #sweet; #old; #sweet; #old; #sweet; #old; #sweet; #old; #sweet; #old; "
                + "#sweet; #old; #sweet; #old; #sweet; #old; #new"),
        WebDocument(
            "terms", #""keywords": [{"@type": "DefinedTerm", "name": "sweet", "termCode": "x"}, 5, true]"#,
            "#sweet; #5",
            notKept: ["keywords.termCode", "keywords"]),
        WebDocument(
            "long author", #""author": "\#(String(repeating: "a", count: 300))""#,
            "by \(String(repeating: "a", count: 199))…",
            notKept: ["author (shortened to 200 characters)"]),
        WebDocument(
            "long ingredient", #""recipeIngredient": ["\#(String(repeating: "i", count: 1_001))"]"#,
            "- \(String(repeating: "i", count: 999))…", notKept: ["recipeIngredient (shortened to 1000 characters)"]),
        WebDocument(
            "unsupported properties", #""nutrition": {"calories": "1"}, "image": ["x"], "recipeCuisine": "Any""#, "",
            notKept: ["image", "nutrition", "recipeCuisine"]),
    ]
}
