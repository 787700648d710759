extension PrometheusMetrics {
    /// The descriptions of the kit's metrics.
    public static let kitHelp: [String: String] = [
        "http_requests_total": "Requests answered, by method, route pattern and status.",
        "http_request_duration_seconds": "Time from a request's head to the end of its answer, by route pattern.",
        "http_requests_in_flight": "Requests that are being answered.",
        "http_refusals_total": "Requests refused before they had a route, by kind of problem.",
        "http_unread_bytes": "Bytes of responses that clients have not read yet, by where they are held.",
        "log_entries_dropped": "Log entries dropped since the start because the log was not read in time.",
        "http_open_streams": "Streams of changes that are open.",
        "store_operations_total": "Operations of the store, by outcome.",
        "store_operation_duration_seconds": "Time that operations of the store took.",
        "store_commits_waiting": "Commits asked for and not answered yet.",
        "store_cache_lookups_total": "Reads by id that were remembered, and that were not.",
        "store_conflicts_total": "Commits refused because something had another version.",
        "store_unchanged_saves_total": "Saves and updates that found everything stored already, and wrote nothing.",
        "store_retries_total": "Changes tried once more because they lost against another.",
    ]
}
