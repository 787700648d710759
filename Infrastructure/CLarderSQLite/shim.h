// The distribution's SQLite, and the few things of it that Swift cannot import: macros that are casts, and functions
// with a variable number of arguments.
#ifndef C_LARDER_SQLITE_H
#define C_LARDER_SQLITE_H

#include <sqlite3.h>

// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns, so a buffer that Swift lends is enough.
static inline sqlite3_destructor_type larder_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

// SQLITE_STATIC: the bytes stay where they are until the statement is reset; for constants and buffers that outlive it.
static inline sqlite3_destructor_type larder_sqlite_static(void) {
    return SQLITE_STATIC;
}

#endif
