import Foundation
import Glibc
import LarderTesting
import Testing

/// Output on a terminal and output to a pipe.
struct TerminalTests {
    private let long =
        #"{"@type":"Recipe","identifier":"long","name":"A soup of so many things that no line holds it"}"#

    @Test func `a table fits the terminal, and its column titles are bold`() throws {
        let larder = try LarderProcess.withRecipes()
        _ = try larder("import", "-", input: long)
        let shown = try larder.onTerminal(columns: 44, "list", "--limit", "1")
        let lines = shown.split(whereSeparator: \.isNewline)
        try #require(lines.count > 1)
        #expect(lines[0].hasPrefix("\u{1B}[1mNAME"))
        #expect(lines[1].count <= 44)
        #expect(lines[1].contains("…"))
        #expect(try larder("list", "--limit", "1").output.contains("so many things that no line holds it"))
    }

    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func `colour can be turned off, and a table still fits`(variables: [String: String]) throws {
        var larder = try LarderProcess.withRecipes()
        _ = try larder("import", "-", input: long)
        larder.environment = variables
        let shown = try larder.onTerminal(columns: 44, "list")
        #expect(!shown.contains("\u{1B}"))
        #expect(shown.contains("…"))
    }

    @Test func `errors are highlighted, and control characters of a name are escaped`() throws {
        let larder = try LarderProcess.withRecipes()
        #expect(try larder.onTerminal(columns: 80, "show", "stew").hasPrefix("\u{1B}[31mlarder: \u{1B}[0mno recipe"))
        let shown = try larder.onTerminal(columns: 80, "brands", "add", "a\u{1B}[2Jb", "--language", "it")
        #expect(shown.contains("is a brand") && !shown.contains("\u{1B}"))
        let piped = try larder("brands", "add", "c\u{1B}[2Jd", "--language", "it").output
        #expect(piped.hasPrefix("c\u{1B}[2Jd is a brand"))
    }

    @Test func `a photo is not written to a terminal`() throws {
        let larder = try LarderProcess.withRecipes()
        try larder.folder.addSamples()
        _ = try larder("photo", "put", "soup", larder.folder.path + "/picture.png")
        #expect(
            try larder.onTerminal(columns: 80, "photo", "get", "soup").contains("cannot print a photo on a terminal"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a completion script completes commands, stores and files`(shell: String) throws {
        let script = try LarderProcess()("--generate-completion-script", shell).output
        for word in ["hand-over", "most-cooked", "sqlite:", "file:", "memory:", "durability", "json"] {
            #expect(script.contains(word), "\(word) in \(shell)")
        }
    }
}

extension LarderProcess {
    /// Runs a command on a terminal of this width, and returns its output.
    func onTerminal(columns: UInt16, _ arguments: String...) throws -> String {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(unsafe openpty(&ours, &theirs, nil, nil, &size) == 0)
        let terminal = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
        let process = process(arguments, variables: environment["TERM"] == nil ? ["TERM": "xterm"] : [:])
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        try process.run()
        process.waitUntilExit()
        // The terminal buffers the output; a few lines fit.
        try terminal.close()
        defer { close(ours) }
        var shown: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            // On Linux the end of a terminal's output is a read error.
            let count = unsafe read(ours, &piece, piece.count)
            if count <= 0 { return CommandResult.text(shown) }
            shown += piece.prefix(count)
        }
    }
}
