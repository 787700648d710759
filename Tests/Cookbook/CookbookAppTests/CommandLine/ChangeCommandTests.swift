import Foundation
import LarderTesting
import Testing

struct ChangeCommandTests {
    @Test func `a rating is set and cleared`() throws {
        let larder = try LarderProcess.withRecipes()
        #expect(try larder("rate", "soup", "4").output == "Soup is rated 4 of 5\n")
        #expect(try larder("list", "--sort", "rating").output.contains("Soup        10  ****    soup"))
        #expect(try larder("rate", "soup", "0").output == "Soup has no rating\n")
    }

    @Test func `an out-of-range rating is a usage error`() throws {
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
                Fish        2
                hot         1

                """)
        #expect(try larder("tags", "rename", "hot", "warm").output == "hot is now warm\n")
        #expect(try larder("tags", "merge", "fish", "cold").output == "Fish is merged into cold; 2 recipes changed\n")
        #expect(
            try larder("tags", "list", "--json").output
                == #"[{"name":"cold","recipes":2},{"name":"warm","recipes":1}]"# + "\n")
    }

    @Test func `a duplicate name is a conflict, and the message suggests merging`() throws {
        let larder = try LarderProcess.withRecipes()
        for name in ["cold", "COLD"] {
            let answer = try larder("tags", "rename", "hot", name)
            #expect(answer.status == 73)
            #expect(
                answer.errors == """
                    larder: a tag '\(name)' already exists
                    To merge them: larder tags merge 'hot' '\(name)'

                    """)
        }
    }

    @Test func `tag lookup ignores case, and a rename may change only the case`() throws {
        let larder = try LarderProcess.withRecipes()
        #expect(try larder("tags", "rename", "FISH", "fish").output == "Fish is now fish\n")
        #expect(try larder("tags", "merge", "hot", "HOT").status == 65)
        #expect(try larder("tags", "merge", "hot", "none").status == 66)
    }
}
