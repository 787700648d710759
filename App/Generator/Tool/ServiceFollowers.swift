/// The changes of the template for a service with followers and recurring work, `FOLLOWERS=1`.
enum ServiceFollowers {
    /// The changes, before the service has its names.
    static let edits = [
        Edit(
            "Package.swift", #"+ kit("LarderApp", "LarderData", "LarderDomain", "LarderHTTP")"#,
            """
            + kit(
                                "LarderApp", "LarderData", "LarderDomain", "LarderFollowers", "LarderFollowersService",
                                "LarderHTTP")
            """),
        Edit("App/Entities.swift", "import LarderDomain\n", "import LarderDomain\nimport LarderFollowers\n"),
        Edit("App/Entities.swift", "[any EntityMapper.Type] = [", "[any EntityMapper.Type] = Followers.mappers + ["),
        Edit("App/Program.swift", "import LarderApp\n", "import LarderApp\nimport LarderFollowersService\n"),
        Edit("App/Program.swift", "PromoteCommand<Program>.self,", "PromoteCommand<Program>.self,\n" + command),
    ]

    /// Files that the template does not have, with its names.
    static let files = [
        (
            "App/Container+Followers.swift",
            """
            import LarderFollowers
            import LarderFollowersService

            /// The reactions of the service to its own changes, and its recurring work.
            extension Container: FollowersContainer {
                func followers(of api: Routes) -> [Follower] {
                    []
                }
            }

            """
        )
    ]

    private static let command = "            FollowersCommand<Program>.self,"
}
