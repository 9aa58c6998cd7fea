/* What a process asks of the system, counted, refused or noted: loaded with LD_PRELOAD.

   CALLS_UNDER=PATH  calls on files below PATH count, and so does opening any file
   CALLS_NOTED=FILE  every file that is opened and every address that is connected to is a line there

   calls_arm(nth, error, lasting): the nth counted call from now fails with `error`, and all after it
   when `lasting`. calls_cut(nth, seed): right before the nth call the power fails: the process ends, and
   what it wrote and did not sync is undone; with a seed some of it stays, in no order. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define FILES 4096
#define REAL(name) ({ static __typeof__(&name) found; \
    found = found ? found : (__typeof__(&name))dlsym(RTLD_NEXT, #name); found; })

typedef struct Write {
    struct Write *before;
    dev_t device; ino_t number;
    char *path, *old, *now;
    off_t at, size;          /* the file's size before it */
    size_t had, length;      /* bytes that were there, bytes that were written; a cut has none */
} Write;

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char *paths[FILES];
static Write *unsynced;
static long counted, nth, cut;
static int fails, lasts, keeps;
static const char *kinds;

static const char *under(void) { return getenv("CALLS_UNDER"); }

static void note(const char *what, const char *which) {
    const char *file = getenv("CALLS_NOTED");
    if (!file) return;
    int out = REAL(open)(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (out < 0) return;
    char line[5000];
    int length = snprintf(line, sizeof line, "%s %s\n", what, which);
    if (length >= (int)sizeof line) length = sizeof line - 1;
    (void)!REAL(write)(out, line, length);
    REAL(close)(out);
}

static void put(int file, const char *bytes, size_t length, off_t at) {
    while (length) {
        ssize_t done = REAL(pwrite)(file, bytes, length, at);
        if (done <= 0) return;
        bytes += done, length -= done, at += done;
    }
}

static void power_fails(void) {
    Write *kept = NULL, *one, *next;
    srand(keeps);
    for (one = unsynced; one; one = next) {  /* the last one first: each finds what it had found */
        next = one->before;
        int file = REAL(open)(one->path, O_RDWR);
        struct stat found;
        if (file >= 0 && !fstat(file, &found) && found.st_ino == one->number) {
            put(file, one->old, one->had, one->at);
            (void)!REAL(ftruncate)(file, one->size);
        }
        if (file >= 0) REAL(close)(file);
        one->before = kept, kept = one;
    }
    for (one = kept; one; one = one->before) {
        if (!keeps || !one->length || rand() % 2) continue;
        int file = REAL(open)(one->path, O_RDWR);
        if (file < 0) continue;
        put(file, one->now, one->length, one->at);
        REAL(close)(file);
    }
    kill(getpid(), SIGKILL);
}

/* Count a call; true when it has to fail, with errno set. `kind` is one of o(pen) r(ead) w(rite) m(ap). */
static int refused(char kind) {
    if (!nth && !cut && !kinds) return 0;
    if (kinds && !strchr(kinds, kind)) return 0;
    pthread_mutex_lock(&lock);
    long now = ++counted;
    if (cut && now == cut) power_fails();
    int wrong = nth && (now == nth || (lasts && now > nth));
    pthread_mutex_unlock(&lock);
    if (wrong) errno = fails;
    return wrong;
}

void calls_arm(long at, int error, int lasting, const char *chosen) {
    pthread_mutex_lock(&lock);
    counted = 0, cut = 0, nth = at, fails = error, lasts = lasting, kinds = strdup(chosen);
    pthread_mutex_unlock(&lock);
}

void calls_cut(long at, int seed) {
    pthread_mutex_lock(&lock);
    counted = 0, nth = 0, cut = at, keeps = seed, kinds = "orw";
    pthread_mutex_unlock(&lock);
}

long calls_counted(void) { return counted; }

static int ours(int file) { return file >= 0 && file < FILES && paths[file]; }

static int opened(int file, const char *path) {
    const char *prefix = under();
    if (file >= 0 && file < FILES) {
        pthread_mutex_lock(&lock);
        free(paths[file]);
        paths[file] = prefix && !strncmp(path, prefix, strlen(prefix)) ? strdup(path) : NULL;
        pthread_mutex_unlock(&lock);
    }
    return file;
}

static void remember(int file, const char *bytes, size_t length, off_t at) {
    struct stat found;
    if (!cut || !ours(file) || fstat(file, &found)) return;
    Write *one = calloc(1, sizeof *one);
    one->device = found.st_dev, one->number = found.st_ino, one->path = strdup(paths[file]);
    one->at = at, one->size = found.st_size, one->length = length;
    size_t span = bytes ? length : (at < found.st_size ? (size_t)(found.st_size - at) : 0);
    one->old = malloc(span + 1), one->now = malloc(length + 1);
    ssize_t had = span ? REAL(pread)(file, one->old, span, at) : 0;
    one->had = had > 0 ? had : 0;
    if (bytes) memcpy(one->now, bytes, length);
    one->before = unsynced, unsynced = one;
}

static void synced(int file) {
    struct stat found;
    if (!cut || !ours(file) || fstat(file, &found)) return;
    for (Write **place = &unsynced; *place;) {
        if ((*place)->number == found.st_ino && (*place)->device == found.st_dev)
            *place = (*place)->before;
        else
            place = &(*place)->before;
    }
}

#define MODE(flags) mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); \
        mode = va_arg(more, int); va_end(more); }
#define OPEN(name) int name(const char *path, int flags, ...) { MODE(flags) \
    note("open", path); \
    return refused('o') ? -1 : opened(REAL(name)(path, flags, mode), path); }
#define OPENAT(name) int name(int folder, const char *path, int flags, ...) { MODE(flags) \
    note("open", path); \
    return refused('o') ? -1 : opened(REAL(name)(folder, path, flags, mode), path); }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

#define FOPEN(name) FILE *name(const char *path, const char *how) { \
    note("open", path); return refused('o') ? NULL : REAL(name)(path, how); }
FOPEN(fopen) FOPEN(fopen64)

int close(int file) {
    if (ours(file)) { pthread_mutex_lock(&lock); free(paths[file]); paths[file] = NULL; pthread_mutex_unlock(&lock); }
    return REAL(close)(file);
}

#define PREAD(name, offset) ssize_t name(int file, void *bytes, size_t length, offset at) { \
    return ours(file) && refused('r') ? -1 : REAL(name)(file, bytes, length, at); }
PREAD(pread, off_t) PREAD(pread64, off64_t)
ssize_t read(int file, void *bytes, size_t length) {
    return ours(file) && refused('r') ? -1 : REAL(read)(file, bytes, length);
}

#define PWRITE(name, offset) ssize_t name(int file, const void *bytes, size_t length, offset at) { \
    if (!ours(file)) return REAL(name)(file, bytes, length, at); \
    if (refused('w')) return -1; \
    pthread_mutex_lock(&lock); remember(file, bytes, length, at); \
    ssize_t done = REAL(name)(file, bytes, length, at); \
    pthread_mutex_unlock(&lock); return done; }
PWRITE(pwrite, off_t) PWRITE(pwrite64, off64_t)
ssize_t write(int file, const void *bytes, size_t length) {
    if (!ours(file)) return REAL(write)(file, bytes, length);
    if (refused('w')) return -1;
    pthread_mutex_lock(&lock);
    remember(file, bytes, length, lseek(file, 0, SEEK_CUR));
    ssize_t done = REAL(write)(file, bytes, length);
    pthread_mutex_unlock(&lock);
    return done;
}

#define CUT(name, offset) int name(int file, offset size) { \
    if (!ours(file)) return REAL(name)(file, size); \
    if (refused('w')) return -1; \
    pthread_mutex_lock(&lock); remember(file, NULL, 0, size); \
    int done = REAL(name)(file, size); pthread_mutex_unlock(&lock); return done; }
CUT(ftruncate, off_t) CUT(ftruncate64, off64_t)

#define SYNC(name) int name(int file) { \
    if (!ours(file)) return REAL(name)(file); \
    if (refused('w')) return -1; \
    pthread_mutex_lock(&lock); int done = REAL(name)(file); if (!done) synced(file); \
    pthread_mutex_unlock(&lock); return done; }
SYNC(fsync) SYNC(fdatasync)

#define MAP(name, offset) void *name(void *place, size_t length, int how, int flags, int file, offset at) { \
    return (file < 0 || ours(file)) && refused('m') ? MAP_FAILED : REAL(name)(place, length, how, flags, file, at); }
MAP(mmap, off_t) MAP(mmap64, off64_t)

int connect(int line, const struct sockaddr *address, socklen_t length) {
    char which[200] = "other", host[100];
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const void *)address;
        inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
        snprintf(which, sizeof which, "%s %d", host, ntohs(four->sin_port));
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const void *)address;
        inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
        snprintf(which, sizeof which, "%s %d", host, ntohs(six->sin6_port));
    } else if (address->sa_family == AF_UNIX)
        snprintf(which, sizeof which, "unix %s", ((const struct sockaddr_un *)address)->sun_path);
    note("connect", which);
    return REAL(connect)(line, address, length);
}

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    note("resolve", host ? host : "");
    return REAL(getaddrinfo)(host, service, hints, found);
}
