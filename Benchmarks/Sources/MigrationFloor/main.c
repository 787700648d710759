// The floor of custom migration steps: a program that reads and rewrites each row on SQLite's C API, in one
// transaction. It writes each case in two ways; the benchmark uses the faster one:
//   copy    reads the table in the order of ids, inserts each row into a new table, which replaces it, and creates the
//           indexes again;
//   update  adds columns, reads batches, updates each row by its id, and drops columns. Indexes stay.
#include "floor.h"

static const char *const person_indexes[] = {
    "CREATE INDEX person_unique_email ON person (email)",
    "CREATE INDEX person_reference_city ON person (city)",
    "CREATE INDEX person_index_created_at ON person (created_at)",
    NULL};
static const char *const basket_indexes[] = {
    "CREATE INDEX basket_unique_number ON basket (number)",
    "CREATE INDEX basket_index_created_at ON basket (created_at)",
    NULL};

/// The length of the part of a text before the first space.
static int first_part(const char *text, int length) {
    const char *space = memchr(text, ' ', length);
    return space ? (int)(space - text) : length;
}

/// Binds a column of a row, which stays valid until the next step.
static void bind_column(sqlite3_stmt *insert, int number, sqlite3_stmt *row, int column) {
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER: sqlite3_bind_int64(insert, number, sqlite3_column_int64(row, column)); break;
    case SQLITE_FLOAT: sqlite3_bind_double(insert, number, sqlite3_column_double(row, column)); break;
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_column_text(row, column);
        sqlite3_bind_text(insert, number, text, sqlite3_column_bytes(row, column), SQLITE_STATIC);
        break;
    }
    case SQLITE_BLOB: {
        const void *bytes = sqlite3_column_blob(row, column);
        sqlite3_bind_blob(insert, number, bytes, sqlite3_column_bytes(row, column), SQLITE_STATIC);
        break;
    }
    default: sqlite3_bind_null(insert, number);
    }
}

/// Copies all persons. Splits the name into two columns, or converts the minutes to seconds.
static void copy_persons(int splits) {
    run(splits
            ? "CREATE TABLE rebuilt (id BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, city BLOB NOT NULL "
              "REFERENCES city (id) DEFERRABLE INITIALLY DEFERRED, email TEXT NOT NULL, phone TEXT, "
              "minutes INTEGER NOT NULL, is_member INTEGER NOT NULL, note TEXT, created_at INTEGER NOT NULL, "
              "first_name TEXT NOT NULL, last_name TEXT NOT NULL) STRICT, WITHOUT ROWID"
            : "CREATE TABLE rebuilt (id BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, city BLOB NOT NULL "
              "REFERENCES city (id) DEFERRABLE INITIALLY DEFERRED, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT, "
              "minutes INTEGER NOT NULL, is_member INTEGER NOT NULL, note TEXT, created_at INTEGER NOT NULL"
              ") STRICT, WITHOUT ROWID");
    sqlite3_stmt *row = prepare(
        splits ? "SELECT id, version, city, email, phone, minutes, is_member, note, created_at, name FROM person ORDER BY id"
               : "SELECT id, version, city, name, email, phone, minutes, is_member, note, created_at FROM person ORDER BY id");
    sqlite3_stmt *insert = prepare(
        splits ? "INSERT INTO rebuilt VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
               : "INSERT INTO rebuilt VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    while (next(row)) {
        for (int column = 0; column < 9 + !splits; column++) bind_column(insert, column + 1, row, column);
        if (splits) {
            const char *name = (const char *)sqlite3_column_text(row, 9);
            int length = sqlite3_column_bytes(row, 9), first = first_part(name, length);
            int rest = first < length ? first + 1 : length;
            sqlite3_bind_text(insert, 10, name, first, SQLITE_STATIC);
            sqlite3_bind_text(insert, 11, name + rest, length - rest, SQLITE_STATIC);
        } else {
            sqlite3_bind_int64(insert, 7, sqlite3_column_int64(row, 6) * 60);
        }
        finish(insert);
    }
    sqlite3_finalize(row);
    sqlite3_finalize(insert);
    run("DROP TABLE person");
    run("ALTER TABLE rebuilt RENAME TO person");
    for (int index = 0; person_indexes[index]; index++) run(person_indexes[index]);
}

enum { BATCH = 1000, LONGEST = 200 };

/// Updates all persons: reads the ids and the values of a batch, and writes the batch.
static void update_persons(int splits) {
    static unsigned char ids[BATCH][16];
    static char names[BATCH][LONGEST];
    static int lengths[BATCH];
    static sqlite3_int64 minutes[BATCH];
    if (splits) {
        run("ALTER TABLE person ADD COLUMN first_name TEXT NOT NULL DEFAULT ''");
        run("ALTER TABLE person ADD COLUMN last_name TEXT NOT NULL DEFAULT ''");
    }
    sqlite3_stmt *batch = prepare(
        splits ? "SELECT id, name FROM person WHERE id > ?1 ORDER BY id LIMIT ?2"
               : "SELECT id, minutes FROM person WHERE id > ?1 ORDER BY id LIMIT ?2");
    sqlite3_stmt *update = prepare(
        splits ? "UPDATE person SET first_name = ?2, last_name = ?3 WHERE id = ?1"
               : "UPDATE person SET minutes = ?2 WHERE id = ?1");
    unsigned char last[16];
    int count = BATCH, last_length = 0;
    while (count == BATCH) {
        sqlite3_bind_blob(batch, 1, last, last_length, SQLITE_STATIC);
        sqlite3_bind_int(batch, 2, BATCH);
        for (count = 0; next(batch); count++) {
            memcpy(ids[count], sqlite3_column_blob(batch, 0), 16);
            if (splits) {
                const unsigned char *name = sqlite3_column_text(batch, 1);
                lengths[count] = sqlite3_column_bytes(batch, 1);
                if (lengths[count] > LONGEST) fail("a long name");
                memcpy(names[count], name, lengths[count]);
            } else {
                minutes[count] = sqlite3_column_int64(batch, 1);
            }
        }
        sqlite3_reset(batch);
        for (int index = 0; index < count; index++) {
            sqlite3_bind_blob(update, 1, ids[index], 16, SQLITE_STATIC);
            if (splits) {
                int length = lengths[index], first = first_part(names[index], length);
                int rest = first < length ? first + 1 : length;
                sqlite3_bind_text(update, 2, names[index], first, SQLITE_STATIC);
                sqlite3_bind_text(update, 3, names[index] + rest, length - rest, SQLITE_STATIC);
            } else {
                sqlite3_bind_int64(update, 2, minutes[index] * 60);
            }
            finish(update);
        }
        if (count) memcpy(last, ids[count - 1], last_length = 16);
    }
    sqlite3_finalize(batch);
    sqlite3_finalize(update);
    if (splits) run("ALTER TABLE person DROP COLUMN name");
}

/// The sum of the lines of the basket with an id. Both statements visit baskets in ascending order.
static sqlite3_int64 total_of(const void *id, sqlite3_stmt *line, int *has_line) {
    sqlite3_int64 total = 0;
    while (*has_line && memcmp(sqlite3_column_blob(line, 0), id, 16) == 0) {
        total += sqlite3_column_int64(line, 1) * sqlite3_column_int64(line, 2);
        *has_line = next(line);
    }
    return total;
}

/// Sets the total of each basket to the sum of its lines.
static void total_baskets(int copies) {
    static unsigned char ids[BATCH][16];
    if (copies)
        run("CREATE TABLE rebuilt (id BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, number TEXT NOT NULL, "
            "total INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID");
    sqlite3_stmt *row = prepare(
        copies ? "SELECT id, version, number, total, created_at FROM basket ORDER BY id"
               : "SELECT id FROM basket WHERE id > ?1 ORDER BY id LIMIT ?2");
    sqlite3_stmt *line = prepare("SELECT basket, quantity, price FROM line ORDER BY basket, position");
    sqlite3_stmt *write = prepare(
        copies ? "INSERT INTO rebuilt VALUES (?1, ?2, ?3, ?4, ?5)" : "UPDATE basket SET total = ?2 WHERE id = ?1");
    int has_line = next(line);
    if (copies) {
        while (next(row)) {
            for (int column = 0; column < 5; column++) bind_column(write, column + 1, row, column);
            sqlite3_bind_int64(write, 4, total_of(sqlite3_column_blob(row, 0), line, &has_line));
            finish(write);
        }
    } else {
        unsigned char last[16];
        int count = BATCH, last_length = 0;
        while (count == BATCH) {
            sqlite3_bind_blob(row, 1, last, last_length, SQLITE_STATIC);
            sqlite3_bind_int(row, 2, BATCH);
            for (count = 0; next(row); count++) memcpy(ids[count], sqlite3_column_blob(row, 0), 16);
            sqlite3_reset(row);
            for (int index = 0; index < count; index++) {
                sqlite3_bind_blob(write, 1, ids[index], 16, SQLITE_STATIC);
                sqlite3_bind_int64(write, 2, total_of(ids[index], line, &has_line));
                finish(write);
            }
            if (count) memcpy(last, ids[count - 1], last_length = 16);
        }
    }
    sqlite3_finalize(row);
    sqlite3_finalize(line);
    sqlite3_finalize(write);
    if (!copies) return;
    run("DROP TABLE basket");
    run("ALTER TABLE rebuilt RENAME TO basket");
    for (int index = 0; basket_indexes[index]; index++) run(basket_indexes[index]);
}

int main(int count, char **arguments) {
    if (count != 4) fail("usage: MigrationFloor split|convert|total copy|update path");
    int copies = strcmp(arguments[2], "copy") == 0;
    open_database(arguments[3]);
    run("PRAGMA synchronous = FULL");
    run("PRAGMA foreign_keys = OFF");
    run("BEGIN IMMEDIATE");
    if (strcmp(arguments[1], "total") == 0) {
        total_baskets(copies);
    } else {
        int splits = strcmp(arguments[1], "split") == 0;
        if (copies) copy_persons(splits); else update_persons(splits);
    }
    check_references();
    run("COMMIT");
    close_database();
    return 0;
}
