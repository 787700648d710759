import Foundation
import LarderTesting
import Testing

struct QueryCommandTests {
    @Test func `a list prints column titles and the total count`() throws {
        let answer = try LarderProcess.withRecipes()("list")
        #expect(
            answer.output == """
                NAME   MINUTES  RATING  IDENTIFIER
                Salad       50          salad
                Soup        10          soup

                """)
        #expect(answer.errors == "2 of 2 recipes\n")
    }

    @Test(arguments: [
        (["--tag", "FISH"], ["Salad", "Soup"]), (["--tag", "Hot"], ["Soup"]), (["--under", "50"], ["Soup"]),
        (["--name", "AL"], ["Salad"]), (["--sort", "time"], ["Soup", "Salad"]), (["--limit", "1"], ["Salad"]),
    ])
    func `a list can be filtered and sorted`(arguments: [String], names: [String]) throws {
        let larder = try LarderProcess.withRecipes()
        let output = try larder.list(arguments).output
        #expect(output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != " " }) } == names)
    }

    @Test func `a page prints the cursor of the next page`() throws {
        let larder = try LarderProcess.withRecipes()
        let first = try larder("list", "--limit", "1")
        let cursor = try #require(first.errors.split(separator: " ").last?.dropLast())
        #expect(first.errors == "1 of 2 recipes\nFor the next page, add --after \(cursor)\n")
        let second = try larder("list", "--limit", "1", "--after", String(cursor))
        #expect(second.output.contains("Soup"))
        #expect(second.errors == "1 of 2 recipes\n")
        #expect(try larder("list", "--limit", "1", "--sort", "time", "--after", String(cursor)).status == 65)
    }

    @Test func `a list can be printed as JSON`() throws {
        let larder = try LarderProcess.withRecipes()
        let answer = try larder("list", "--json", "--tag", "cold")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
        let recipes = try #require(json["recipes"] as? [[String: Any]])
        #expect(json["total"] as? Int == 1)
        #expect(recipes.first?["identifier"] as? String == "salad")
        #expect(recipes.first?["minutes"] as? Int == 50)
    }

    @Test func `a recipe is shown by identifier, name in any case, and id`() throws {
        let larder = try LarderProcess.withRecipes()
        let byName = try larder("show", "SOUP")
        #expect(byName.status == 0)
        #expect(byName.output.hasPrefix("Soup\n\nPreparation: 10 min\nDifficulty: 3 of 5\nRating: none yet\n"))
        #expect(byName.output.contains("Tags: hot, Fish\n"))
        #expect(try larder("show", "soup").output == byName.output)
        let id = try #require(byName.output.split(separator: "\n").last?.split(separator: " ").last)
        #expect(try larder("show", String(id)).output == byName.output)
        #expect(try larder("show", "soup", "--json").output.contains(#""id":"\#(id)""#))
    }

    @Test func `a missing item is reported, with advice on what to do next`() throws {
        let larder = try LarderProcess.withRecipes()
        let answer = try larder("show", "stew")
        #expect(answer.status == 66)
        #expect(
            answer.errors == "larder: no recipe is named 'stew'\nSee 'larder list --name TEXT' for a list.\n")
        #expect(try larder("list", "--tag", "stew").status == 66)
    }

    @Test func `recipes of the same name are listed with ids`() throws {
        let larder = try LarderProcess.withRecipes()
        _ = try larder("import", "-", input: #"{"@type":"Recipe","identifier":"other","name":"soup"}"#)
        let answer = try larder("rate", "Soup", "3")
        #expect(answer.status == 66)
        #expect(answer.errors == "larder: 2 recipes are named 'Soup'\nChoose one: soup, other\n")
    }

    @Test func `stats counts everything`() throws {
        let answer = try LarderProcess.withRecipes()("stats")
        #expect(answer.output.hasPrefix("WHAT         COUNT\nrecipes          2\n"))
        #expect(answer.output.contains("tags             3\n"))
    }
}

extension LarderProcess {
    fileprivate func list(_ arguments: [String]) throws -> CommandResult {
        try arguments.count == 2 ? self("list", arguments[0], arguments[1]) : self("list")
    }
}
