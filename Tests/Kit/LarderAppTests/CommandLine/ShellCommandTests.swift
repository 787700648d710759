import Testing
@testable import LarderApp

struct ShellCommandTests {
    @Test(arguments: [
        ("plain/path-1_2.sqlite", "plain/path-1_2.sqlite"), ("sqlite:/srv/a.sqlite", "sqlite:/srv/a.sqlite"),
        ("", "''"), ("a b", "'a b'"), ("mirrored(a, b)", "'mirrored(a, b)'"), ("$(rm)", "'$(rm)'"),
        ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("küche", "'küche'"), ("~/x", "'~/x'"), ("a\nb", "'a\nb'"),
    ])
    func `a word is quoted unless no shell interprets it`(text: String, word: String) {
        #expect(text.shellWord == word)
        #expect([text, text].shellCommand == "\(word) \(word)")
    }
}
