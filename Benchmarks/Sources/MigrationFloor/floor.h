#ifndef FLOOR_H
#define FLOOR_H

#include <sqlite3.h>
#include <string.h>

/// Prints a message, and that of SQLite, and exits.
void fail(const char *message) __attribute__((noreturn));
void open_database(const char *path);
/// Closes it, which writes the log to the database.
void close_database(void);
/// Runs a statement without values.
void run(const char *sql);
sqlite3_stmt *prepare(const char *sql);
/// Whether there is a further row.
int next(sqlite3_stmt *statement);
/// Runs a statement to its end, and resets it.
void finish(sqlite3_stmt *statement);
/// Fails if a reference has no target.
void check_references(void);

#endif
