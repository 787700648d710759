#if Service
import CommonNames
import LarderApp
import LarderArchitecture
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderStoreContract
import LarderTesting
import Testing

/// Domain types next to the kit's products: a product with one of these names makes it ambiguous, which is a compile
/// error.
@Test func `a domain can use common names without their module`() {
    let types: [Any.Type] = [
        Account.self, Address.self, Category.self, Change.self, Contract.self, Customer.self, Event.self,
        Invoice.self, Item.self, Loan.self, Location.self, Member.self, Message.self, Order.self, Page.self,
        Payment.self, Product.self, Role.self, Session.self, Status.self, Token.self, User.self,
    ]
    #expect(types.count == 22)
}
#endif
