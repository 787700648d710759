import CookbookDomain
import LarderApp
import LarderDomain
import Testing

@testable import CookbookApp

struct RecipeReaderTests {
    private func read(_ members: String) throws -> RecipeReader.Result {
        try RecipeReader.read(try JSON(schemaOrg: Array(#"{"@type": "Recipe", "name": "Pie", \#(members)}"#.utf8)))
    }

    private func draft(_ members: String) throws -> RecipeDraft { try read(members).draft }

    @Test(arguments: [
        (#""keywords": "sweet, pie,, Old School ""#, ["sweet", "pie", "Old School"]),
        (#""keywords": ["sweet", "a, b"]"#, ["sweet", "a, b"]),
        (#""keywords": [{"@type": "DefinedTerm", "name": "sweet"}]"#, ["sweet"]),
        (#""keywords": []"#, []), (#""keywords": null"#, []),
    ])
    func `keywords are a comma-separated text, an array of texts, or terms`(members: String, tags: [String]) throws {
        #expect(try read(members).draft.tags == tags)
        #expect(try read(members).notKept == [])
    }

    @Test(arguments: [
        (#""author": "Ada""#, "Ada"), (#""author": {"@type": "Person", "name": " Ada "}"#, "Ada"),
        (#""author": ["Ada", {"@type": "Organization", "name": "Bakers"}]"#, "Ada, Bakers"), (#""author": []"#, nil),
    ])
    func `an author is a text, a person, or several`(members: String, author: String?) throws {
        #expect(try draft(members).author == author)
    }

    @Test(arguments: [
        (#""recipeInstructions": "Mix.\nBake.\n""#, ["Mix.", "Bake."]),
        (#""recipeInstructions": ["Mix.", "", " Bake. "]"#, ["Mix.", "Bake."]),
        (#""recipeInstructions": {"@type": "HowToStep", "text": "Mix."}"#, ["Mix."]),
        (#""recipeInstructions": [{"@type": "HowToStep", "name": "Mix"}]"#, ["Mix"]),
        (
            #""recipeInstructions": [{"position": 2, "text": "Bake."}, {"position": 1, "text": "Mix."}]"#,
            ["Mix.", "Bake."]
        ),
        (
            #"""
            "recipeInstructions": [{"@type": "HowToSection", "itemListElement": ["Mix.", {"text": "Bake."}]},
              {"@type": "HowToSection", "itemListElement": {"@type": "HowToStep", "text": "Eat."}}, [["Rest."]]]
            """#,
            ["Mix.", "Bake.", "Eat.", "Rest."]
        ),
    ])
    func `instructions are a text, several texts, steps, or sections`(members: String, steps: [String]) throws {
        let result = try read(members)
        #expect(result.draft.steps.map(\.text) == steps)
        #expect(result.notKept == [])
    }

    @Test(arguments: [
        ("PT95M", 95), ("PT1H30M", 90), ("P1DT2H", 1560), ("PT90S", 2), ("P1W", 10080), ("pt0.5h", 30), ("PT0S", 0),
        ("1 hour", nil), ("P1M", nil), ("PT", nil), ("P", nil), ("", nil), ("PTM", nil), ("PT5", nil), ("P5H", nil),
    ])
    func `a duration has days, hours, minutes and seconds`(text: String, minutes: Int?) throws {
        let result = try read(#""cookTime": "\#(text)""#)
        #expect(result.draft.cookingMinutes == minutes)
        #expect(result.notKept.isEmpty == (minutes != nil && text != "PT90S" || text.isEmpty))
    }

    @Test(arguments: [
        ("4", "4"), ("2.5", "2.5"), (#""12 pieces""#, "12 pieces"), (#"["4", "4 servings"]"#, "4 servings"),
        (#"{"@type": "QuantitativeValue", "value": 6, "unitText": "buns"}"#, "6 buns"), (#""""#, nil),
    ])
    func `a yield is a number, a text, a quantity or several`(value: String, yield: String?) throws {
        #expect(try read(#""recipeYield": \#(value)"#).draft.yield == yield)
        #expect(try read(#""recipeYield": \#(value)"#).notKept == [])
    }

    @Test(arguments: [
        (#""identifier": "a", "@id": "b", "url": "c""#, "a"), (#""identifier": 7"#, "7"),
        (#""identifier": {"@type": "PropertyValue", "value": "a"}"#, "a"), (#""@id": "b", "url": "c""#, "b"),
        (#""identifier": "", "url": "c""#, "c"), (#""author": "Ada""#, "digest:fff9356cad659afe874100b5042aaf33"),
    ])
    func `the identifier is taken from the source's members`(members: String, identifier: String) throws {
        #expect(try draft(members).sourceIdentifier == identifier)
    }

    @Test(arguments: ["1234567890123456701", "9223372036854775807", "-9007199254740993"])
    func `a numeric identifier keeps all its digits`(number: String) throws {
        #expect(try draft(#""identifier": \#(number)"#).sourceIdentifier == number)
        #expect(try draft(#""identifier": "\#(number)""#).sourceIdentifier == number)
        #expect(try draft(#""identifier": {"@type": "PropertyValue", "value": \#(number)}"#).sourceIdentifier == number)
    }

    @Test(arguments: ["9223372036854775808", "12345678901234567890123", "1.5", "1e3"])
    func `a numeric identifier that may lose digits is refused`(number: String) throws {
        #expect(throws: SchemaOrgError("has an identifier that is neither text nor a 64-bit integer")) {
            try read(#""identifier": \#(number), "url": "c""#)
        }
    }

    @Test func `ingredients are texts, or the lines of one`() throws {
        #expect(try draft(#""recipeIngredient": ["Salt", ""]"#).ingredients == [.init(text: "Salt")])
        #expect(try draft(#""ingredients": "Salt\nPepper""#).ingredients.map(\.text) == ["Salt", "Pepper"])
    }

    @Test func `our extension properties are read back`() throws {
        let draft = try draft(
            #"""
            "larder:rating": 5, "larder:difficulty": 1, "larder:completed": true, "recipeIngredient": ["Salt", "Egg"],
            "larder:measures": [{"quantity": 0.5, "unit": "tsp"}, {}],
            "recipeInstructions": [{"text": "Wait", "timeRequired": "PT90S"}]
            """#)
        #expect(draft.judgement == .init(difficulty: 1, rating: 5, completed: true))
        #expect(draft.ingredients == [.init(text: "Salt", quantity: 0.5, unit: "tsp"), .init(text: "Egg")])
        #expect(draft.steps == [.init(text: "Wait", timerSeconds: 90)])
    }

    @Test func `an ingredient keeps its own measure, also after a skipped one`() throws {
        let draft = try draft(
            #"""
            "recipeIngredient": ["", "1 egg", "2 g salt"],
            "larder:measures": [null, {"quantity": 1}, {"quantity": 2, "unit": "g"}]
            """#)
        #expect(
            draft.ingredients == [.init(text: "1 egg", quantity: 1), .init(text: "2 g salt", quantity: 2, unit: "g")])
    }

    @Test func `a step without a duration has no timer`() throws {
        let result = try read(#""recipeInstructions": [{"text": "Serve", "timeRequired": "PT0S"}]"#)
        #expect(result.draft.steps == [.init(text: "Serve")])
        #expect(result.notKept == [])
    }

    /// A regression test: each yield was searched in the longest one, which took minutes.
    @Test(.timeLimit(.minutes(5))) func `many yields take no longer than one long text`() throws {
        let yields = (0..<60_000).map { "\"\($0)\"" }
        let longest = (0..<60_000).map { "\($0)" }.joined()
        let result = try read(#""recipeYield": ["\#(longest)", \#(yields.joined(separator: ","))]"#)
        #expect(result.draft.yield == longest.prefix(199) + "…")
    }

    @Test func `unsupported properties are listed`() throws {
        let result = try read(
            #"""
            "nutrition": {"calories": "1"}, "aggregateRating": {}, "video": null, "totalTime": "PT5M",
            "author": {"name": "Ada", "url": "x"}, "datePublished": "2020-02-30", "recipeYield": ["4", "a loaf"],
            "recipeInstructions": [{"name": "Step 1", "text": "Mix.", "image": "x"}, {"name": "Bake", "text": "Bake it."}]
            """#)
        #expect(
            Set(result.notKept) == [
                "nutrition", "aggregateRating", "totalTime (stored as the cooking time)", "author.url",
                "datePublished (not a date: '2020-02-30')",
                "recipeYield (more than one)", "recipeInstructions.name", "recipeInstructions.image",
            ])
        #expect(result.draft.published == nil)
        #expect(result.draft.steps.map(\.text) == ["Mix.", "Bake it."])
    }

    @Test func `durations that overflow have no sum, and do not trap`() throws {
        let longest = "PT9223372036854774784S"
        let result = try read(#""prepTime": "\#(longest)", "cookTime": "\#(longest)", "totalTime": "PT1H""#)
        #expect(result.draft.preparationMinutes == nil)
        #expect(
            result.notKept == [
                "prepTime (longer than a year)", "cookTime (longer than a year)",
                "totalTime (stored as the cooking time)",
            ])
    }

    @Test func `the first of several texts is used, and the others are reported`() throws {
        let result = try read(#""description": ["Good", "Very good"], "prepTime": ["soon"]"#)
        #expect(result.draft.summary == "Good")
        #expect(result.notKept == ["description (more than one)", "prepTime (not a duration: 'soon')"])
    }

    @Test func `a time of day is dropped, and reported`() throws {
        let result = try read(#""datePublished": "2020-02-29T10:00:00Z""#)
        #expect(result.draft.published == CalendarDay(year: 2020, month: 2, day: 29))
        #expect(result.notKept == ["datePublished (time of day)"])
    }

    @Test(arguments: [
        (#"{"name": "Pie"}"#, "has no @type"), (#"{"@type": "Person"}"#, "is not a Recipe but Person"),
        (#"{"@type": "Recipe"}"#, "has no name"),
        (#"{"@type": ["Thing", "schema:Recipe"], "name": " "}"#, "has no name"),
    ])
    func `an item without a recipe type or a name is refused`(text: String, reason: String) throws {
        let object = try JSON(schemaOrg: Array(text.utf8))
        #expect(throws: SchemaOrgError(reason)) { try RecipeReader.read(object) }
    }
}
