import Foundation
import LarderTesting

extension TemporaryFolder {
    /// Creates the files that transcripts refer to.
    func addSamples() throws {
        _ = try file(
            "recipes.jsonl",
            #"""
            {"@type":"Recipe","identifier":"soup","name":"Soup","keywords":["hot","Fish"],"prepTime":"PT10M"}
            {"@type":"Recipe","identifier":"salad","name":"Salad","keywords":["cold","fish"],"cookTime":"PT50M"}

            """#)
        _ = try file("stew.json", #"{"@type":"Recipe","identifier":"stew","name":"Stew","recipeYield":"4"}"#)
        _ = try file("other-soup.json", #"{"@type":"Recipe","identifier":"other","name":"soup"}"#)
        _ = try file("nameless.jsonl", #"{"@type":"Recipe","name":"Good"}"# + "\n" + #"{"@type":"Recipe"}"# + "\n")
        _ = try file("letter.txt", "Dear reader, this is no database, no recipe and no picture, and never was.\n")
        _ = try file("settings.json", #"{"store": "memory:", "durability": "normal"}"#)
        _ = try file("misspelt.json", #"{"http-readng": "closed", "shelves": 3}"#)
        _ = try file("wrong.json", #"{"store": "#)
        let secret = try file("passphrase", "correct horse\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        try Data(Self.picture).write(to: URL(filePath: path + "/picture.png"))
    }

    /// The first bytes of a PNG; no code reads the rest.
    private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
}
