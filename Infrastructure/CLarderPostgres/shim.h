// The client library of PostgreSQL, and the wait for its sockets.
#ifndef C_LARDER_POSTGRES_H
#define C_LARDER_POSTGRES_H

#include <libpq-fe.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif

#endif
