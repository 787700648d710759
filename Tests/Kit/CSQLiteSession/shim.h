// SQLite's session extension, which reports what was written as rows and columns: a witness for tests, and no part of the
// product. The distribution's library has it; its header shows it only to those who ask.
#ifndef C_SQLITE_SESSION_H
#define C_SQLITE_SESSION_H

#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

#endif
