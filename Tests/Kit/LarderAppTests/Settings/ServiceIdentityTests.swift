import LarderApp
import Testing

struct ServiceIdentityTests {
    @Test(arguments: [("my-loans", "MY_LOANS_"), ("2fast", "_2FAST_")])
    func `the prefix of variables is a name that a shell accepts`(name: String, prefix: String) {
        #expect(ServiceIdentity(name: name, title: "").variablePrefix == prefix)
    }
}
