internal import Hummingbird
internal import LarderApp

extension CookbookService {
    /// All routes, with what stands before them.
    ///
    /// - Parameter outermost: What sees every request and every answer, problems too.
    func router(
        outermost: [any MiddlewareProtocol<Request, Response, CookbookContext>] = []
    ) -> Router<CookbookContext> {
        let router = Router(context: CookbookContext.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable()
        for middleware in outermost { router.add(middleware: middleware) }
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: AllowMiddleware(table))
        router.add(middleware: AuthenticationMiddleware(service: self))
        addRoutes(to: router.group("v1"))
        table.fill(from: router)
        return router
    }

    private func addRoutes(to group: RouterGroup<CookbookContext>) {
        ResourceRoutes<RecipeResource>(service: self).add(to: group)
        ResourceRoutes<TagResource>(service: self).add(to: group)
        ResourceRoutes<CookbookResource>(service: self).add(to: group)
        ResourceRoutes<BrandResource>(service: self).add(to: group)
        ResourceRoutes<UserResource>(service: self).add(to: group)
        ResourceRoutes<SessionResource>(service: self).add(to: group)
        RecipeVerbs(service: self).add(to: group)
        MergeTagsRoute(service: self).add(to: group)
        PhotoRoutes(service: self).add(to: group)
    }
}
