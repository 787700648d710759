import CookbookDomain
import LarderDomain
import Testing

struct CallerTests {
    @Test func `a user's caller has the user's own role`() throws {
        let caller = Caller(try Things.user(Person.me, role: .cook))
        #expect(caller == .user(Person.me, .cook))
        #expect(caller.userID == Person.me)
        #expect(caller.isOwner(Person.me))
        #expect(!caller.isOwner(Person.other))
    }

    @Test func `an ownerless entity belongs to no caller`() {
        for kind in CallerKind.allCases { #expect(!kind.caller.isOwner(nil)) }
    }

    @Test func `each role includes the permissions below it`() {
        #expect(CallerKind.allCases.filter(\.caller.isAdmin) == [.admin, .system])
        #expect(CallerKind.allCases.filter(\.caller.isCook) == [.cook, .admin, .system])
        #expect(CallerKind.allCases.filter(\.caller.isKnown) == [.reader, .cook, .admin, .system])
    }
}
