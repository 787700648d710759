import LarderDomain
import Testing

struct ChangeTokenTests {
    @Test func `a token is read as it was written`() {
        let token = ChangeToken(lifetime: 0x00c0_ffee_00c0_ffee, position: .max)
        #expect(token.description == "00c0ffee00c0ffee-9223372036854775807")
        for token in [token, ChangeToken(lifetime: 0, position: 0), ChangeToken(lifetime: .max, position: 7)] {
            #expect(ChangeToken(token.description) == token)
        }
    }

    @Test(arguments: [
        "", "-", "7", "-1", "c0ffee-1", "00c0ffee00c0ffee", "00c0ffee00c0ffee-", "00c0ffee00c0ffee-01",
        "00c0ffee00c0ffee-+1", "00c0ffee00c0ffee--1", "00c0ffee00c0ffee-1 ", " 00c0ffee00c0ffee-1",
        "00C0FFEE00C0FFEE-1", "00c0ffee00c0ffee-1x", "00c0ffee00c0ffee-9223372036854775808", "00c0ffee00c0ffee-١",
        "+0c0ffee00c0ffee-1", "00c0ffee00c0ffee_1", "00c0ffee00c0ffee-1\n", "00c0ffee00c0ffe\u{0}-1",
        "000c0ffee00c0ffee-1",
    ])
    func `no other text is a token`(text: String) {
        #expect(ChangeToken(text) == nil)
    }
}
