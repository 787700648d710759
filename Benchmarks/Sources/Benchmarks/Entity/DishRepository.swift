import LarderDomain

struct DishRepository: EntityRepository {
    typealias Model = Dish

    let manager: any PersistencyManager
}

struct FeastRepository: EntityRepository {
    typealias Model = Feast

    let manager: any PersistencyManager
}
