import CookbookDomain
import Foundation
import LarderApp
import LarderDomain
import LarderTesting
import Testing

@testable import CookbookApp

/// Recipes written by people, in a folder next to the workspace; see its README.
private let realRecipes = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../shared/data/recipes.jsonl").standardizedFileURL.path

struct RoundTripTests {
    /// Imports a file into an empty cookbook and exports the cookbook.
    private func roundTrip(_ path: String) async throws -> (report: ImportReport, lines: [String]) {
        try await Container().withCookbook(StoreSettings(location: .memory)) { cookbook in
            var run = ImportRun(useCase: cookbook.importRecipes, isStrict: false)
            try await run.take([path])
            var lines: [String] = []
            try await cookbook.exportRecipes.execute { page in
                for recipe in page { lines.append(String(decoding: RecipeDocument(recipe).line(), as: UTF8.self)) }
            }
            return (run.report, lines)
        }
    }

    /// Unique keywords in lower case: an import maps a keyword to a tag case-insensitively.
    private func folded(_ keywords: JSON?) -> [String] {
        var seen: Set<String> = []
        return (keywords?.elements ?? []).compactMap { $0.text?.lowercased() }.filter { seen.insert($0).inserted }
    }

    private func objects(_ lines: [String]) throws -> [JSON] {
        try lines.map { sorted(try JSON(schemaOrg: Array($0.utf8))) }
    }

    /// Sorts the members, whose order does not matter.
    private func sorted(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): .array(elements.map(sorted))
        case .object(let members):
            .object(members.map { .init($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
        default: json
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: realRecipes), "needs \(realRecipes)"))
    func `real recipes lose no property`() async throws {
        let source = try String(contentsOfFile: realRecipes, encoding: .utf8).split(separator: "\n").map(String.init)
        let (report, lines) = try await roundTrip(realRecipes)
        #expect(report.inserted == 184)
        #expect(report.failed.isEmpty)
        #expect(report.notKept.isEmpty)
        let (wanted, found) = (try objects(source), try objects(lines))
        #expect(found.count == wanted.count)
        for (wanted, found) in zip(wanted, found) {
            for key in Set(wanted.names).union(found.names) {
                let isSame =
                    key == "keywords"
                    ? folded(wanted[key]) == folded(found[key]) : wanted[key] == found[key]
                #expect(isSame, "\(key) of \(wanted["identifier"]?.text ?? "?")")
            }
        }
        #expect(wanted.map { $0["recipeIngredient"]?.elements.count ?? 0 }.reduce(0, +) == 1478)
        #expect(wanted.map { $0["recipeInstructions"]?.elements.count ?? 0 }.reduce(0, +) == 1281)
    }

    @Test func `an export is imported and exported again byte for byte`() async throws {
        let text = #"""
            {"@type":"Recipe","@id":"x/1","name":"Cr\u00eape","keywords":"Sweet,sweet","author":["A","B"],\#
            "recipeYield":[4],"prepTime":"PT1H","larder:rating":5,"larder:completed":true,"larder:difficulty":1,\#
            "recipeIngredient":["Egg","Milk"],"larder:measures":[{"quantity":2},{"quantity":0.25,"unit":"l"}],\#
            "recipeInstructions":[{"text":"Wait","timeRequired":"PT2M"},"Fry / \"turn\""]}
            {"@type":"Recipe","name":"Nothing else"}
            """#
        let folder = try TemporaryFolder()
        let first = try await roundTrip(try folder.file("first.jsonl", text)).lines
        let second = try await roundTrip(try folder.file("second.jsonl", first.joined(separator: "\n"))).lines
        #expect(first.count == 2)
        #expect(first == second)
        #expect(first[0].contains(#""larder:measures":[{"quantity":2},{"quantity":0.25,"unit":"l"}]"#))
        #expect(first[0].contains(#""keywords":["Sweet"]"#))
    }

    @Test func `texts that look like HTML are exported as plain text`() async throws {
        let text =
            #"{"@type":"Recipe","name":"A &amp; B","larder:plainText":true,"description":"Use <b>\nonly","keywords":["<i>"]}"#
        let folder = try TemporaryFolder()
        let first = try await roundTrip(try folder.file("first.jsonl", text)).lines
        let second = try await roundTrip(try folder.file("second.jsonl", first.joined(separator: "\n"))).lines
        #expect(first == second)
        #expect(first[0].contains(#""name":"A &amp; B""#) && first[0].contains(#""larder:plainText":true"#))
    }

    @Test func `the bundled sample is imported completely`() async throws {
        let sample = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../App/Cookbook/Resources/sample.jsonl").path
        let report = try await roundTrip(sample).report
        #expect(report.inserted == 12)
        #expect(report.failed.isEmpty && report.notKept.isEmpty)
    }
}
