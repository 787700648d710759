extension PrometheusMetrics {
    /// The descriptions of the kit's metrics.
    public static let kitHelp: [String: String] = [
        "http_server_request_duration_seconds":
            "Time from the head of a request to the end of its response, by method, route pattern, and status.",
        "http_server_active_requests": "Requests in progress.",
        "http_refusals_total": "Requests refused before routing, by problem.",
        "http_unread_bytes": "Bytes of responses that clients have not read yet, by where they are held.",
        "log_entries_dropped": "Log entries dropped since the start because the log was not read in time.",
        "http_open_streams": "Open change streams.",
        "db_client_operation_duration_seconds": "Duration of store operations, by operation, kind of store, and error.",
        "store_commits_waiting": "Commits that are waiting or running.",
        "store_cache_lookups_total": "Lookups in the entity cache, by hit or miss.",
        "store_mirror_follows": "1 if the mirror follows the primary, and 0 if it has failed.",
        "store_mirror_missing_commits": "Commits of the primary that the mirror does not have.",
        "store_log_bytes": "Bytes of the write-ahead log after the last commit.",
        "store_log_blocked": "1 if reads keep the write-ahead log from restarting, and 0 otherwise.",
        "store_conflicts_total": "Commits refused because of a version conflict.",
        "store_unchanged_saves_total": "Saves and updates without a difference, which wrote nothing.",
        "store_retries_total": "Changes repeated after a conflict.",
        "follower_lag_commits": "Commits that a follower has yet to handle; from 10,000 on, all after its position.",
        "follower_lag_seconds": "Age of the first commit that a follower has yet to handle.",
        "follower_failures_total": "Commits and ticks whose first attempt has failed, by follower or recurring work.",
        "follower_set_aside": "Commits that a follower has set aside.",
        "follower_stopped": "1 if a follower waits for an operator, and 0 otherwise.",
    ]
}
