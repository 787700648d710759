import Foundation
import LarderTesting
import Testing

/// Tests of `larder log` and `larder compact` that transcripts cannot express.
struct LogCommandTests {
    private var larder: LarderProcess
    private var folder: String { larder.folder.path + "/kept" }

    init() throws {
        larder = try LarderProcess()
        larder.environment["LARDER_STORE"] = "file:\(larder.folder.path)/kept"
        let recipe = try larder.folder.file(
            "recipe.json", #"{"@type":"Recipe","identifier":"soup","name":"Soup","keywords":["hot"]}"#)
        #expect(try larder("import", recipe).status == 0)
        for rating in 1...3 { #expect(try larder("rate", "soup", String(rating)).status == 0) }
    }

    @Test func `damage is reported with its offset, and fails`() throws {
        let lines = try larder("log").output.split(separator: "\n")
        #expect(lines.count == 6)
        let offset = try #require(lines[3].firstMatch(of: #/^at byte (\d+), /#).flatMap { Int($0.output.1) })
        let path = URL(filePath: folder + "/larder.log")
        var bytes = try Data(contentsOf: path)
        bytes[offset + 30] ^= 1
        try bytes.write(to: path)
        let answer = try larder("log", folder)
        #expect(answer.status == 1)
        #expect(answer.output.split(separator: "\n").count == 4)
        #expect(answer.errors.hasPrefix("larder: \(folder)/larder.log is damaged at byte \(offset)\n"))
        #expect(try larder("list").errors.contains("damaged at byte \(offset)"))
        bytes.removeLast(4)
        bytes[offset + 30] ^= 1
        try bytes.write(to: path)
        let cut = try larder("log", "--json")
        #expect(cut.status == 1)
        #expect(cut.output.hasSuffix(#","kind":"cut short","offset":\#(lastOffset(lines))}"# + "\n"), "\(cut.output)")
    }

    private func lastOffset(_ lines: [Substring]) -> Substring {
        lines.last?.firstMatch(of: #/^at byte (\d+), /#)?.output.1 ?? ""
    }

    @Test func `a log can be read while it is served, but not compacted`() async throws {
        let serve = try ServeProcess(larder, ["--http-port", "0"])
        _ = try await serve.port()
        let answer = try larder("log")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.split(separator: "\n").count >= 6)
        let compaction = try larder("compact")
        #expect(compaction.status == 75)
        #expect(compaction.errors.contains("already open for writing by pid \(serve.process.processIdentifier) "))
        #expect(try await serve.end(SIGTERM).status == 0)
        #expect(try larder("compact").status == 0)
        #expect(try larder("log").output.split(separator: "\n").count == 4)
    }
}
