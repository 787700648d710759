extension WebDocument {
    static let authors = [
        WebDocument(
            "author by reference",
            document: #"""
                {"@graph": [{"@type": "Recipe", "name": "author by reference", "author": {"@id": "#ada"}},
                  {"@type": "Person", "@id": "#ada", "name": "Ada Lee"}]}
                """#, "by Ada Lee"),
        WebDocument(
            "author by address",
            document: #"""
                {"@graph": [{"@type": "Person", "@id": "https://a.example/#/ben", "name": "Ben &amp; Co"},
                  {"@type": "Recipe", "name": "author by address", "author": [{"@id": "https://a.example/#/ben"}, "Cy"]}]}
                """#, "by Ben & Co, Cy"),
        WebDocument(
            "author elsewhere", #""author": {"@id": "https://a.example/#ada"}"#, "",
            notKept: ["author (no name of 'https://a.example/#ada' in the document)"]),
        WebDocument(
            "author with an address",
            ##""author": {"@type": "Person", "@id": "#a", "name": "Ada", "url": "https://a.example"}"##,
            "by Ada", notKept: ["author.url"]),
        WebDocument(
            "author of the page",
            document: #"""
                {"@type": "WebPage", "author": {"@type": "Person", "@id": "_:b1", "name": ["Dee"]},
                  "mainEntity": {"@type": "Recipe", "name": "author of the page", "author": {"@id": "_:b1"}}}
                """#, "by Dee"),
        WebDocument(
            "publication", #""datePublished": "2026-03-01T08:00:00+00:00""#, "2026-03-01",
            notKept: ["datePublished (time of day)"]),
    ]

    static let times = [
        WebDocument(
            "total alone", #""totalTime": "PT45M""#, "?+45 min", notKept: ["totalTime (stored as the cooking time)"]),
        WebDocument("total and preparation", #""totalTime": "PT45M", "prepTime": "PT15M""#, "15+30 min"),
        WebDocument("total and cooking", #""totalTime": "PT45M", "cookTime": "PT40M""#, "5+40 min"),
        WebDocument("total that is preparation", #""totalTime": "PT15M", "prepTime": "PT15M""#, "15+? min"),
        WebDocument("sum of both", #""totalTime": "PT1H", "prepTime": "PT15M", "cookTime": "PT45M""#, "15+45 min"),
        WebDocument(
            "total with rest", #""totalTime": "PT2H", "prepTime": "PT15M", "cookTime": "PT45M""#, "15+45 min",
            notKept: ["totalTime (not the sum of the other times)"]),
        WebDocument(
            "duration of zeros", #""prepTime": "P0Y0M0DT0H35M0S", "cookTime": "P0Y0M0W0DT1H0M0.000S""#, "35+60 min"),
        WebDocument("days among hours", #""cookTime": "PT0D1H30M""#, "?+90 min"),
        WebDocument("a month", #""cookTime": "P1M""#, "", notKept: ["cookTime (not a duration: 'P1M')"]),
        WebDocument("duration object", #""prepTime": {"@type": "Duration", "value": "PT20M"}"#, "20+? min"),
        WebDocument(
            "duration range", #""cookTime": {"@type": "Duration", "minValue": "PT20M", "maxValue": "PT30M"}"#,
            "?+30 min",
            notKept: ["cookTime (the minimum)"]),
        WebDocument(
            "duration with a unit", #""cookTime": {"@type": "QuantitativeValue", "value": 2, "unitCode": "HUR"}"#,
            "?+120 min"),
        WebDocument("minutes as a number", #""prepTime": 25, "cookTime": "35""#, "25+35 min"),
        WebDocument(
            "minutes and a half", #""prepTime": 2.5, "cookTime": ["PT1M", "PT2M"]"#, "3+1 min",
            notKept: ["prepTime (seconds)", "cookTime (more than one)"]),
        WebDocument("negative time", #""prepTime": -5, "cookTime": """#, "", notKept: ["prepTime (negative)"]),
        WebDocument("a year and more", #""cookTime": "P400D""#, "", notKept: ["cookTime (longer than a year)"]),
    ]

    static let texts = [
        WebDocument(
            "references",
            #""description": "Salt &amp; pepper &ndash; &frac12;&nbsp;tsp &#189; &#xBD; &#8217;n&rsquo; &#150;""#,
            "Salt & pepper – ½ tsp ½ ½ ’n’ –"),
        WebDocument("escaped twice", #""keywords": "mac &amp;amp; cheese, cr&amp;egrave;me""#, "#mac & cheese; #crème"),
        WebDocument(
            "unknown references", #""description": "A &bogus; B & C; D &#; E &#xZZ; &#0;""#,
            "A &bogus; B & C; D &#; E &#xZZ; \u{FFFD}"),
        WebDocument(
            "paragraphs", #""description": "<p>First,<br/>then  second.</p>\n<p>Third</p>""#,
            "First,\nthen second.\nThird"),
        WebDocument(
            "escaped markup", #""description": "&lt;p&gt;A &lt;b&gt;bold&lt;/b&gt; stew&lt;/p&gt;""#, "A bold stew"),
        WebDocument(
            "links and images", #""description": "See <a href=\"/x\">this</a> <img src='y'>.""#, "See this .",
            notKept: ["description (HTML: a, img)"]),
        WebDocument("less than", #""description": "for 2 < 3 and x <y> z <3""#, "for 2 < 3 and x <y> z <3"),
        WebDocument(
            "comments and scripts", #""description": "A<!-- b --><script>c < d</script><STYLE>e</STYLE>f""#, "Aef"),
        WebDocument(
            "control characters",
            "\"description\": \"one\u{B}two\nthree\tfour\u{1F}\", \"recipeYield\": \"4\n\tpieces\"",
            "one two\nthree\tfour; yield 4 pieces"),
        WebDocument(
            "ampersand in an ingredient", #""recipeIngredient": ["salt &amp; pepper", "1&frac14; l <b>milk</b>"]"#,
            "- salt & pepper; - 1¼ l milk"),
    ]
}
