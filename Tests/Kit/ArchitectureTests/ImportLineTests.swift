import LarderArchitecture
import Testing

@Suite("Import lines")
struct ImportLineTests {
    @Test(arguments: [
        "import A", "public import A", "@testable import A", "@_spi(Some) internal import A", "import struct A.B",
        "import A.B", "@preconcurrency\npublic import A", "let b = 1; import A", "import /* odd */ A",
        "private import func A.b",
    ])
    func `an import is found however it is written`(text: String) {
        #expect(SourceFile(path: "File.swift", text: text).imports.map(\.module) == ["A"])
    }

    @Test(arguments: ["// import A", "\"import A\"", "canImport(A)", "let imports = a", "/// The import of A"])
    func `an unknown import is not found`(text: String) {
        #expect(SourceFile(path: "File.swift", text: text).imports.isEmpty)
    }

    @Test func `the fallback is the else of FoundationEssentials alone`() {
        let text = """
            #if canImport(FoundationEssentials)
            import A
            #else
            import B
            #endif
            #if canImport(Glibc)
            import C
            #else
            import D
            #endif
            import E
            """
        let imports = SourceFile(path: "File.swift", text: text).imports
        #expect(imports.filter(\.isFallback).map(\.module) == ["B"])
        #expect(imports.count == 5)
    }
}
