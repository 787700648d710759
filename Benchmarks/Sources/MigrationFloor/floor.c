#include "floor.h"

#include <stdio.h>
#include <stdlib.h>

static sqlite3 *database;

void fail(const char *message) {
    fprintf(stderr, "%s: %s\n", message, database ? sqlite3_errmsg(database) : "");
    exit(1);
}

void open_database(const char *path) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) fail(path);
}

void close_database(void) {
    if (sqlite3_close(database) != SQLITE_OK) fail("close");
}

void run(const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) fail(sql);
    return statement;
}

int next(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail(sqlite3_sql(statement));
    return code == SQLITE_ROW;
}

void finish(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement));
    sqlite3_reset(statement);
}

void check_references(void) {
    sqlite3_stmt *check = prepare("PRAGMA foreign_key_check");
    if (next(check)) fail("a reference without a target");
    sqlite3_finalize(check);
}
