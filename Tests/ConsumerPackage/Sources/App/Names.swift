import Domain
import LarderArchitecture
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract

/// The types of `Domain` without the name of their module. A product of the kit that has one of the names too makes it
/// ambiguous, which is a compile error.
struct Names {
    let account: Account
    let address: Address
    let category: Category
    let change: Change
    let contract: Contract
    let customer: Customer
    let event: Event
    let invoice: Invoice
    let item: Item
    let loan: Loan
    let location: Location
    let member: Member
    let message: Message
    let order: Order
    let page: Page
    let payment: Payment
    let product: Product
    let role: Role
    let session: Session
    let status: Status
    let token: Token
    let user: User
}
