import Foundation
import LarderTesting
import Testing

struct SettingsTests {
    @Test func `by default, recipes are in the user's data folder`() throws {
        let larder = try LarderProcess.withRecipes()
        let database = larder.folder.path + "/.local/share/larder/larder.sqlite"
        #expect(FileManager.default.fileExists(atPath: database))
    }

    @Test func `a flag overrides the environment, which overrides the file`() throws {
        var larder = try LarderProcess.withRecipes()
        let folder = larder.folder.path
        let recipe = try larder.folder.file("good.json", #"{"@type":"Recipe","name":"Good"}"#)
        let file = try larder.folder.file("settings.json", #"{"store": "sqlite:\#(folder)/file.sqlite"}"#)
        func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name).sqlite") }
        #expect(try larder("import", recipe, "--config", file).status == 0)
        #expect(exists("file"))
        larder.environment = ["LARDER_STORE": "sqlite:~/variable.sqlite", "LARDER_CONFIG": file]
        #expect(try larder("import", recipe).status == 0)
        #expect(exists("variable"))
        #expect(try larder("import", recipe, "--store", "sqlite:\(folder)/flag.sqlite").status == 0)
        #expect(exists("flag"))
    }

    @Test func `an invalid setting differs from an invalid flag`() throws {
        var larder = try LarderProcess()
        let answer = try larder("list", "--store", "mysql:x")
        #expect(answer.status == 64)
        #expect(
            answer.errors == "larder: invalid store 'mysql:x': unknown kind 'mysql'; "
                + "use sqlite:PATH, file:DIR, postgres://…, or memory:\n")
        #expect(try larder("list", "--durability", "some").status == 64)
        #expect(try larder("list", "--config", "/nowhere.json").status == 78)
        larder.environment = ["LARDER_STORE": "sqlite:"]
        #expect(try larder("list").status == 78)
    }

    @Test func `an unusable store is reported as unavailable, and is not changed`() throws {
        let larder = try LarderProcess()
        let file = try larder.folder.file("letter.txt", "Dear reader, this is no database at all, and never was.")
        let before = try Data(contentsOf: URL(filePath: file))
        #expect(try larder("list", "--store", "sqlite:\(file)").status == 69)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }

    @Test func `a read-only command does not create a missing store`() throws {
        var larder = try LarderProcess()
        let path = larder.folder.path + "/nowhere/recipes.sqlite"
        let answer = try larder("show", "soup", "--store", "sqlite:\(path)")
        #expect(answer.status == 66)
        #expect(
            answer.errors == "larder: no store exists at \(path)\nCheck --store; 'larder import' creates one.\n")
        larder.environment = ["LARDER_STORE": "sqlite:\(path)"]
        #expect(try larder("tags").errors.contains("Check the environment variable LARDER_STORE;"))
        #expect(!FileManager.default.fileExists(atPath: larder.folder.path + "/nowhere"))
    }

    @Test func `no lock file is created for a file of no store`() throws {
        let larder = try LarderProcess()
        let file = try larder.folder.file("letter.txt", "Dear reader, this is no database at all, and never was.")
        #expect(try larder("import", "-", "--store", "sqlite:\(file)").status == 69)
        #expect(!FileManager.default.fileExists(atPath: file + ".lock"))
    }

    @Test func `an in-memory store starts empty each time`() throws {
        let answer = try LarderProcess()("list", "--store", "memory:")
        #expect(answer.status == 0)
        #expect(answer.errors == "0 of 0 recipes\n")
    }

    @Test func `the help lists exit statuses, and an invalid command is refused`() throws {
        let larder = try LarderProcess()
        let help = try larder("--help")
        #expect(help.status == 0)
        for status in [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78] { #expect(help.output.contains("  \(status)  ")) }
        #expect(try larder("bake").status == 64)
        #expect(try larder("list", "--limit", "0").status == 64)
    }
}
