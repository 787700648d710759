/// The caller for whom a task works, to whose shares its work counts.
public enum WorkCaller {
    /// The unique key of the caller; `nil` for an anonymous one, and outside of requests.
    @TaskLocal public static var current: String?
}
