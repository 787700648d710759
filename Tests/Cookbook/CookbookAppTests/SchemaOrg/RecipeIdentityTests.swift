import CookbookDomain
import LarderApp
import LarderInfrastructure
import LarderTesting
import Testing

@testable import CookbookApp

struct RecipeIdentityTests {
    private func draft(_ members: String) throws -> RecipeDraft {
        try RecipeReader.read(try JSON(schemaOrg: #"{"@type": "Recipe", "name": "Pie", \#(members)}"#.utf8)).draft
    }

    @Test(arguments: [
        (#""identifier": 7, "url": "https://a.example/pie""#, "7@a.example"),
        (#""identifier": {"value": "x/7"}, "url": "HTTP://ben:pw@WWW.B.Example:8080?p=7#x""#, "x/7@b.example"),
        (#""identifier": "7", "url": {"@id": "https://a.example/pie"}"#, "7@a.example"),
        (#""identifier": "7", "mainEntityOfPage": {"@id": "https://a.example/pie"}"#, "7@a.example"),
        (#""identifier": "urn:uuid:1", "url": "https://a.example""#, "urn:uuid:1"),
        (#""identifier": "https://b.example/7", "url": "https://a.example""#, "https://b.example/7"),
        (#""@id": "https://a.example/pie#recipe", "url": "https://a.example/pie""#, "https://a.example/pie#recipe"),
        (##""@id": "#recipe", "url": "https://a.example/pie#top""##, "https://a.example/pie#recipe"),
        (#""identifier": "_:b0", "url": "https://a.example/pie""#, "https://a.example/pie"),
        (##""@id": "#recipe", "url": "#top""##, "digest:863458485a83d94f70811a1e45742055"),
        (#""@id": "_:b0""#, "digest:863458485a83d94f70811a1e45742055"), (#""url": "/pie""#, "/pie"),
        (#""identifier": "7""#, "7"),
    ])
    func `the host of the url takes part, and a fragment or blank node alone is no identity`(
        members: String, identifier: String
    ) throws {
        #expect(try draft(members).sourceIdentifier == identifier)
    }

    /// The identities are literal: the rule by which an earlier version stored them no longer exists as a whole.
    @Test(arguments: [
        (#""identifier": 7, "url": "https://a.example""#, "7", false), (##""@id": "#recipe""##, "#recipe", false),
        (
            ##""author": {"@id": "#a"}, "mainEntityOfPage": "https://a.example""##,
            "digest:863458485a83d94f70811a1e45742055", true
        ),
        (#""@id": "https://a.example/#r", "identifier": "_:b0""#, "_:b0", false),
    ])
    func `a draft has its former identity, if it differs`(members: String, former: String, isOfOneSource: Bool) throws {
        let found = try draft(members).former
        #expect(found == .init(identifier: former, name: "Pie", author: nil, isOfOneSource: isOfOneSource))
    }

    @Test func `a former identity without host and HTML is the same as the new one`() throws {
        #expect(try draft(#""author": "Ada""#).former == nil)
        #expect(try draft(#""author": "Ada""#).sourceIdentifier == "digest:fff9356cad659afe874100b5042aaf33")
        #expect(try draft(#""identifier": "pie""#).former == nil)
        let named = try RecipeReader.read(try JSON(schemaOrg: #"{"@type": "Recipe", "name": "Mac &amp; cheese"}"#.utf8))
            .draft
        #expect(named.name == "Mac & cheese")
        #expect(named.former?.identifier == "digest:0c44a4008e73bf9033248482a8bdc76a")
        #expect(named.former?.name == "Mac &amp; cheese")
    }

    @Test func `a url of which the identity has only the host is reported`() throws {
        let text = #"{"@type": "Recipe", "name": "Pie", "identifier": 7, "url": "https://a.example/pie"}"#
        #expect(try RecipeReader.read(try JSON(schemaOrg: text.utf8)).notKept == ["url"])
    }

    /// The report of an import of these lines into an empty cookbook, and the names of the recipes by identifier.
    private func imported(_ lines: String...) async throws -> (report: ImportReport, recipes: [String: String]) {
        let folder = try TemporaryFolder()
        let file = try folder.file("lines", lines.joined(separator: "\n"))
        return try await Container().withCookbook(StoreSettings(location: .memory)) { cookbook in
            var run = ImportRun(useCase: cookbook.importRecipes, isStrict: false)
            try await run.take([file])
            var recipes: [String: String] = [:]
            try await cookbook.exportRecipes.execute { page in
                for exported in page { recipes[exported.recipe.outsideIdentifier] = exported.recipe.name }
            }
            return (run.report, recipes)
        }
    }

    private func line(_ name: String, _ members: String) -> String {
        #"{"@type":"Recipe","name":"\#(name)",\#(members)}"#
    }

    @Test func `recipes of two sources with one identifier are two recipes`() async throws {
        let (report, recipes) = try await imported(
            line("A", #""identifier":"7","url":"https://a.example/x""#),
            line("B", #""identifier":"7","url":"https://b.example/x""#),
            line("C", ##""@id":"#recipe","url":"https://a.example/c""##),
            line("D", ##""@id":"#recipe","url":"https://a.example/d""##))
        #expect(report.failed.isEmpty)
        #expect(
            recipes == [
                "7@a.example": "A", "7@b.example": "B", "https://a.example/c#recipe": "C",
                "https://a.example/d#recipe": "D",
            ])
    }

    @Test func `a collision in one import is reported, and the earlier recipe remains`() async throws {
        let (report, recipes) = try await imported(
            line("A", #""identifier":"7","author":"Ada""#), line("B", #""identifier":"7""#),
            line("A", #""identifier":"7","author":"Ben""#), line("A", #""identifier":"7","description":"more""#),
            line("P", #""recipeIngredient":["egg"]"#), line("P", #""recipeIngredient":["milk"]"#))
        #expect(recipes.values.sorted() == ["A", "P"])
        #expect(report.updated == 1)
        let reasons = report.failed.map(\.reason)
        #expect(reasons.count == 3)
        #expect(reasons[0].contains("lines:1, '7', but is another recipe"))
        #expect(reasons[2].contains("has the name and author of ") && reasons[2].contains("lines:5"))
    }
}
