import CookbookDomain
import LarderDomain
import Testing

struct CollectionsTests {
    @Test func `a cookbook requires a name and has no duplicate favourites`() {
        #expect(refusedField { _ = try Things.cookbook(name: "") } == "name")
        #expect(refusedField { _ = try Things.cookbook(favourites: [id(1), id(2), id(1)]) } == "favourites")
    }

    @Test func `a favourite is appended, once`() throws {
        let cookbook = try Things.cookbook(favourites: [id(1)]).favouring(id(2))
        #expect(cookbook.favourites == [id(1), id(2)])
        #expect(try cookbook.favouring(id(1)) == cookbook)
        #expect(cookbook.unfavouring(id(1)).favourites == [id(2)])
        #expect(cookbook.unfavouring(id(3)) == cookbook)
    }

    @Test func `favourites have a limit`() throws {
        let full = try Things.cookbook(favourites: (0..<10_000).map { id($0) })
        #expect(refusedField { _ = try full.favouring(id(10_000)) } == "favourites")
        #expect(try full.favouring(id(0)) == full)
    }

    @Test func `the history may repeat, and a full one drops its oldest entry`() throws {
        let cookbook = try Things.cookbook(history: [id(1)]).recording(id(1))
        #expect(cookbook.history == [id(1), id(1)])
        let full = try Things.cookbook(history: (0..<10_000).map { id($0) }).recording(id(0))
        #expect(full.history.count == 10_000)
        #expect(full.history.first == id(1) && full.history.last == id(0))
        #expect(refusedField { _ = try Things.cookbook(history: full.history + [id(1)]) } == "history")
    }

    @Test func `cooking, a photo or a new owner changes nothing else of a recipe`() throws {
        let recipe = try Things.recipe(owner: nil)
        #expect(recipe.cooked().completed)
        #expect(recipe.showing(id(1)).showing(nil) == recipe)
        #expect(recipe.owned(by: id(1)).owner == id(1))
        #expect(recipe.owned(by: id(1)).owned(by: nil) == recipe)
    }

    @Test func `a brand's keywords are unique, single-line texts`() throws {
        #expect(try Things.brand(keywords: ["flour", "whole grain"]).keywords == ["flour", "whole grain"])
        for bad in ["", " ", "a\nb", "a\r\nb", "a\u{2028}b", String(repeating: "x", count: 101)] {
            #expect(refusedField { _ = try Things.brand(keywords: ["flour", bad]) } == "keywords")
        }
        #expect(refusedField { _ = try Things.brand(keywords: ["flour", "flour"]) } == "keywords")
        #expect(refusedField { _ = try Things.brand(name: "") } == "name")
    }

    @Test(arguments: ["en", "de", "pt-BR", "zh-Hant-TW", "sl-rozaj-biske-1994", "ENGLISCH"])
    func `a language tag ignores case`(text: String) throws {
        #expect(LanguageTag(rawValue: text)?.rawValue == text.lowercased())
        #expect(LanguageTag(rawValue: text) == LanguageTag(rawValue: text.uppercased()))
    }

    @Test(arguments: [
        "", "e", "-", "en-", "-en", "en--us", "en_US", "e1", "12", "deutsches", "en-abcdefghi", "én", "en us",
        "a1-b2", "aa-1-2-3-4-5-6-7-8",
    ])
    func `other text is not a language tag`(text: String) {
        #expect(LanguageTag(rawValue: text) == nil)
    }
}
