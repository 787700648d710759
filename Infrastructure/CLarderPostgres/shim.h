// The client library of PostgreSQL, the wait for its sockets, and the permissions of a password file.
#ifndef C_LARDER_POSTGRES_H
#define C_LARDER_POSTGRES_H

#include <libpq-fe.h>
#include <poll.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif

#endif
