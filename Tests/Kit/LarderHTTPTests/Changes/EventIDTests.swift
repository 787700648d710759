import LarderHTTP
import Testing

struct EventIDTests {
    @Test func `an id is read as it was written`() {
        let id = EventID(boot: "5f0c91ab", sequence: .max)
        #expect(id.description == "5f0c91ab-9223372036854775807")
        #expect(EventID(id.description) == id)
        #expect(EventID("0-0") == EventID(boot: "0", sequence: 0))
    }

    @Test(arguments: [
        "", "-", "7", "a-", "-1", "a-01", "a-+1", "a--1", "a-1 ", " a-1", "A-1", "a-1x", "a-9223372036854775808",
        "a-١", "ä-1", "a-1\n", "a\u{0}-1", String(repeating: "a", count: 64) + "-1",
    ])
    func `no other text is an id`(text: String) {
        #expect(EventID(text) == nil)
    }
}
