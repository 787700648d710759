@testable import LarderArchitecture
import Testing

@Suite("The mask")
struct CodeMaskTests {
    @Test func `comments and strings are blank, and lines keep their places`() {
        let text = """
            let a = "try! // b" // fatalError()
            /* import A /* nested */ import B
            */ let c = #"as! \\(d) " "# + "e"
            """
        let code = CodeMask.code(of: text)
        #expect(!code.contains(/try!|fatalError|import|as!/))
        #expect(code.contains("let a ="))
        #expect(code.split(separator: "\n").last?.contains(/let c =\s+\+/) == true)
        #expect(code.utf8.count == text.utf8.count)
    }

    @Test func `code inside an interpolation stays`() {
        let code = CodeMask.code(of: #"let a = "b \(try! c("d")) fatalError" + e"#)
        #expect(code.contains("try! c("))
        #expect(!code.contains("fatalError"))
        #expect(code.hasSuffix("+ e"))
    }

    @Test func `a string of many lines ends at its own quotes`() {
        let code = CodeMask.code(of: "let a = \"\"\"\n  \"import A\"\n  \"\"\"\nimport B\n")
        #expect(!code.contains("import A"))
        #expect(code.hasSuffix("import B\n"))
    }

    @Test func `an escaped quote does not end a string`() {
        let code = CodeMask.code(of: #"let a = "\"import A"; import B"#)
        #expect(!code.contains("import A"))
        #expect(code.hasSuffix("import B"))
    }

    @Test func `a raw identifier is no code when it is a sentence`() {
        let code = CodeMask.code(of: "func `an import is found`() {}\nimport `Some`\n")
        #expect(!code.contains("import is"))
        #expect(SourceFile(path: "File.swift", text: "import `Some`").imports.map(\.module) == ["Some"])
    }
}
