// The client library of PostgreSQL.
#ifndef C_LARDER_POSTGRES_H
#define C_LARDER_POSTGRES_H

#include <libpq-fe.h>

#endif
