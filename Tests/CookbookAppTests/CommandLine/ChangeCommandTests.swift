import Foundation
import Testing

struct ChangeCommandTests {
    @Test func `a rating is given and taken away`() throws {
        let larder = try LarderProcess.withRecipes()
        #expect(try larder("rate", "soup", "4").output == "Soup is rated 4 of 5\n")
        #expect(try larder("list", "--sort", "rating").output.contains("Soup        10  ****    soup"))
        #expect(try larder("rate", "soup", "0").output == "Soup has no rating\n")
    }

    @Test func `a rating out of range is a wrong command line`() throws {
        #expect(try LarderProcess()("rate", "soup", "6").status == 64)
        #expect(try LarderProcess()("rate", "soup", "much").status == 64)
        #expect(try LarderProcess()("rate", "soup", "1").status == 66)
    }

    @Test func `tags are listed, renamed and merged`() throws {
        let larder = try LarderProcess.withRecipes()
        #expect(
            try larder("tags").output == """
                TAG   RECIPES
                cold        1
                Fish        1
                fish        1
                hot         1

                """)
        #expect(try larder("tags", "rename", "hot", "warm").output == "hot is now warm\n")
        #expect(try larder("tags", "merge", "Fish", "fish").output == "Fish is merged into fish; 1 recipe changed\n")
        #expect(
            try larder("tags", "list", "--json").output
                == #"[{"name":"cold","recipes":1},{"name":"fish","recipes":2},{"name":"warm","recipes":1}]"# + "\n")
    }

    @Test func `a name that is taken is a conflict, and merging is advised`() throws {
        let larder = try LarderProcess.withRecipes()
        let answer = try larder("tags", "rename", "hot", "cold")
        #expect(answer.status == 73)
        #expect(
            answer.errors
                == "larder: there is a tag 'cold' already\nTo make one of the two: larder tags merge 'hot' 'cold'\n")
    }

    @Test func `a tag that could be two is not guessed`() throws {
        let larder = try LarderProcess.withRecipes()
        let answer = try larder("tags", "rename", "FISH", "sea food")
        #expect(answer.status == 66)
        #expect(answer.errors == "larder: no tag is spelled 'FISH'\nChoose one: Fish, fish\n")
        #expect(try larder("tags", "merge", "hot", "HOT").status == 65)
        #expect(try larder("tags", "merge", "hot", "none").status == 66)
    }
}
