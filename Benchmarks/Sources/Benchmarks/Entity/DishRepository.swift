import LarderDomain

struct DishRepository: EntityRepository {
    typealias Model = Dish

    let manager: any PersistencyManager
}
