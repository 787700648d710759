import Testing

@testable import CookbookApp

struct StableDigestTests {
    @Test func `text boundaries matter, and equivalent spellings are equal`() {
        #expect(StableDigest.digest(of: ["ab", "c"]) != StableDigest.digest(of: ["a", "bc"]))
        #expect(StableDigest.digest(of: ["e\u{301}"]) == StableDigest.digest(of: ["\u{E9}"]))
    }

    @Test func `the digest is FNV-1a of 128 bits`() {
        #expect(StableDigest.digest(of: []) == "6c62272e07bb014262b821756295c58d")
        // The input is one zero byte, the terminator of an empty text.
        #expect(StableDigest.digest(of: [""]) == "d228cb69101a8caf78912b704e4a147f")
    }
}
