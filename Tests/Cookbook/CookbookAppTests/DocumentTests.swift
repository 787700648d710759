import Foundation
import Testing
import Yams

struct DocumentTests {
    @Test func `each YAML block of the documents is valid, and its services have images and texts as variables`() throws
    {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs").standardized
        var services = 0
        for page in try FileManager.default.contentsOfDirectory(at: docs, includingPropertiesForKeys: nil) {
            guard page.pathExtension == "md" else { continue }
            for match in try String(contentsOf: page, encoding: .utf8).matches(of: /```yaml\n((?s).*?)```/) {
                let root = try #require(try Yams.compose(yaml: String(match.1)), "\(page.lastPathComponent)")
                for (name, service) in root["services"]?.mapping ?? [:] {
                    services += 1
                    #expect(service["image"]?.string != nil, "\(name)")
                    for (variable, value) in service["environment"]?.mapping ?? [:] {
                        #expect(value.tag == Tag(.str), "\(variable)")
                    }
                }
            }
        }
        #expect(services == 2)
    }
}
