#if Postgres
import LarderData
import LarderDomain
import LarderPostgres
import Synchronization

/// Several stores on one database behind one port: each call goes to the next of them.
final class AlternatingStore: StoreDecorator {
    private let stores: [PostgresStore]
    private let next = Atomic(0)

    init(_ stores: [PostgresStore]) { self.stores = stores }

    var base: any Store { stores[next.wrappingAdd(1, ordering: .relaxed).newValue % stores.count] }

    var identity: ObjectIdentifier { stores[0].identity }

    func close() async { for store in stores { await store.close() } }
}
#endif
