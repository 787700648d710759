import LarderTesting

typealias LarderProcess = ProgramProcess

extension ProgramProcess {
    /// Runs the built `larder`.
    init() throws { try self.init("larder") }

    /// A process whose default store, in its home folder, contains two recipes.
    static func withRecipes() throws -> LarderProcess {
        let larder = try LarderProcess()
        let file = try larder.folder.file(
            "recipes.jsonl",
            #"""
            {"@type":"Recipe","identifier":"soup","name":"Soup","keywords":["hot","Fish"],"prepTime":"PT10M"}
            {"@type":"Recipe","identifier":"salad","name":"Salad","keywords":["cold","fish"],"cookTime":"PT50M"}

            """#)
        let answer = try larder("import", file)
        guard answer.status == 0 else { throw Failed(answer: answer) }
        return larder
    }

    struct Failed: Error {
        let answer: CommandResult
    }
}
