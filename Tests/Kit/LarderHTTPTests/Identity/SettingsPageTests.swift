import Foundation
import LarderApp
import Testing

struct SettingsPageTests {
    private static let page = URL(filePath: #filePath + "/../../../../../docs/settings.md").standardizedFileURL

    @Test func `the table of settings in the documents is the output of the command`() async throws {
        let output = CapturedOutput()
        // The reference does not depend on the settings of its reader.
        let environment = UserEnvironment(["HOME": "/nowhere", "MY_LOANS_HTTP_PORT": "9"])
        await UserEnvironment.$current.withValue(environment) {
            _ = await output.during {
                await CommandFrame.run(Loans.self, Loans.identity, arguments: ["config", "--reference"])
            }
        }
        let printed = String(decoding: output.output, as: UTF8.self)
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let text = page.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.hasPrefix("|") }
        let expected = text.joined(separator: "\n") + "\n" + printed
        if ProcessInfo.processInfo.environment["REWRITE_TRANSCRIPTS"] == "1" {
            try expected.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        #expect(page == expected)
    }
}
