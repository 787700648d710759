// SQLite's functions, and the few things of it that Swift cannot import: macros that are casts. Functions that an older
// SQLite lacks, such as the one in SQLCipher, are replaced here; differences of its SQL are in SQLiteLibrary.swift.
#ifndef C_LARDER_SQLITE_H
#define C_LARDER_SQLITE_H

// SQLCipher declares its functions only then.
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3020000
#define SQLITE_PREPARE_PERSISTENT 1

static inline int sqlite3_prepare_v3(sqlite3 *database, const char *text, int bytes, unsigned int flags,
                                     sqlite3_stmt **statement, const char **rest) {
    return sqlite3_prepare_v2(database, text, bytes, statement, rest);
}
#endif

#if SQLITE_VERSION_NUMBER < 3037000
static inline sqlite3_int64 sqlite3_changes64(sqlite3 *database) { return sqlite3_changes(database); }

static inline sqlite3_int64 sqlite3_total_changes64(sqlite3 *database) { return sqlite3_total_changes(database); }
#endif

// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns, so a buffer that Swift lends is enough.
static inline sqlite3_destructor_type larder_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

// SQLITE_STATIC: the bytes stay where they are until the statement is reset; for constants and buffers that outlive it.
static inline sqlite3_destructor_type larder_sqlite_static(void) {
    return SQLITE_STATIC;
}

#endif
