// What a task costs at least on this machine: the unavoidable reads, inflating and writes.
//
//   floor nothing                         starts and ends
//   floor copy PLAN FILE FOLDER           reads the ranges of a plan, and writes its files
//   floor fetch PLAN URL FOLDER           the same over HTTP/1.1
//   floor scan PLAN FILE FOLDER           reads a transport stream, collects the streams of a plan, and writes its files
//   floor streams FILE PACKET PREFIX PID… PREFIX-PID: the payload of the packets of each PID
//   floor run RESULT COMMAND…             runs a command; writes its seconds, memory, bytes and calls of read
//
// Options, after the command: -j BYTES joins ranges with a gap of at most that many bytes, -t COUNT sets the number of threads or
// connections, -d COUNT the requests in flight on each connection, -r COUNT the ranges of a request, -w COUNT the threads that
// write; -m maps the file instead of reading it.
//
// plan.py writes plans. A file of a plan consists of pieces, which are literal or a part of a range or stream.

#define _GNU_SOURCE
#include <fcntl.h>
#include <errno.h>
#include <libdeflate.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LITERAL UINT32_MAX

// The layout of a plan: the head, ranges, files, pieces, names, literals. All numbers are little-endian.
struct head { char magic[8]; uint32_t packet, phases, ranges, files, pieces, names; uint64_t literals; };
// `expanded` is the size after inflating, or 0. Of a transport stream, `offset` is the PID.
struct range { uint64_t offset; uint32_t length, expanded, phase, unused; };
struct file { uint32_t name, first, pieces, unused; uint64_t size; };
struct piece { uint64_t offset; uint32_t source, length; };

static struct {
    const struct head *head;
    const struct range *ranges;
    const struct file *files;
    const struct piece *pieces;
    const char *names;
    const uint8_t *literals;
} plan;

// Bytes of each range or stream, as stored.
static const uint8_t **sources;
static uint64_t join = 4096;
static unsigned threads = 1, depth = 16, grouped = 1;
static int mapped;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("floor: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (errno) fprintf(stderr, ": %s", strerror(errno));
    fputc('\n', stderr);
    exit(1);
}

static void *memory(size_t size) {
    if (size == 0) size = 1;
    void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) fail("cannot allocate %zu bytes", size);
    if (size >= 4 << 20) madvise(found, size, MADV_HUGEPAGE);
    return found;
}

static int opened(const char *path, uint64_t *size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (file < 0 || fstat(file, &about) < 0) fail("%s", path);
    *size = (uint64_t)about.st_size;
    return file;
}

static void open_plan(const char *path) {
    uint64_t size;
    int file = opened(path, &size);
    const uint8_t *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (at == MAP_FAILED) fail("%s", path);
    close(file);
    const uint8_t *end = at + size;
    plan.head = (const void *)at;
    at += sizeof(struct head);
    if (size < sizeof(struct head) || memcmp(plan.head->magic, "floor 1\n", 8)) fail("%s is no plan", path);
    plan.ranges = (const void *)at;
    at += plan.head->ranges * sizeof(struct range);
    plan.files = (const void *)at;
    at += plan.head->files * sizeof(struct file);
    plan.pieces = (const void *)at;
    at += plan.head->pieces * sizeof(struct piece);
    plan.names = (const void *)at;
    at += plan.head->names;
    plan.literals = at;
    if (at + plan.head->literals != end) fail("%s has a wrong size", path);
    sources = memory(plan.head->ranges * sizeof *sources);
}

static void in_parallel(unsigned count, void *(*work)(void *)) {
    pthread_t others[count];
    for (uintptr_t number = 1; number < count; number++)
        if (pthread_create(&others[number], NULL, work, (void *)number)) fail("cannot start a thread");
    work(NULL);
    for (unsigned number = 1; number < count; number++) pthread_join(others[number], NULL);
}

// Writing.

static const char *folder;
static atomic_uint next_file;

static void put(int file, const uint8_t *data, size_t size, const char *name) {
    while (size) {
        ssize_t written = write(file, data, size);
        if (written < 0) fail("%s", name);
        data += written;
        size -= (size_t)written;
    }
}

// Whole files, so that threads do not share any.
static void *write_files(void *unused) {
    (void)unused;
    enum { ROOM = 256 << 10 };
    uint8_t *buffer = malloc(ROOM), *inflated = NULL;
    size_t inflated_room = 0;
    uint32_t number, held = LITERAL;
    struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
    while ((number = atomic_fetch_add(&next_file, 1)) < plan.head->files) {
        const struct file *file = &plan.files[number];
        const char *name = plan.names + file->name;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, name);
        int output = strcmp(name, "-") ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : 1;
        if (output < 0) fail("%s", path);
        size_t used = 0;
        for (uint32_t at = file->first; at < file->first + file->pieces; at++) {
            const struct piece *piece = &plan.pieces[at];
            const uint8_t *from = plan.literals;
            if (piece->source != LITERAL) {
                const struct range *range = &plan.ranges[piece->source];
                from = sources[piece->source];
                if (range->expanded) {
                    if (held != piece->source) {
                        if (inflated_room < range->expanded) {
                            free(inflated);
                            inflated = malloc(inflated_room = range->expanded);
                        }
                        if (libdeflate_zlib_decompress(inflater, from, range->length, inflated, range->expanded, NULL))
                            fail("cannot inflate the range at %llu", (unsigned long long)range->offset);
                        held = piece->source;
                    }
                    from = inflated;
                }
            }
            from += piece->offset;
            if (used + piece->length > ROOM) {
                put(output, buffer, used, path);
                used = 0;
            }
            if (piece->length > ROOM) {
                put(output, from, piece->length, path);
            } else {
                memcpy(buffer + used, from, piece->length);
                used += piece->length;
            }
        }
        put(output, buffer, used, path);
        if (output != 1) close(output);
    }
    libdeflate_free_decompressor(inflater);
    free(inflated);
    free(buffer);
    return NULL;
}

static void write_all(const char *to, unsigned count) {
    folder = to;
    if (count > plan.head->files) count = plan.head->files;
    if (count) in_parallel(count, write_files);
}

// Reading ranges.

enum { CHUNK = 1 << 20 };
struct run { uint64_t offset, length; uint8_t *to; };
static struct run *runs;
static unsigned *first_run; // of each phase, and the end
static unsigned *phase_next; // atomically
static pthread_barrier_t barrier;
static int input;
static const uint8_t *map;

// Joins the ranges, which are in order within a phase.
static void plan_runs(void) {
    uint64_t total = 0, end = 0, chunks = 0;
    const struct head *head = plan.head;
    for (uint32_t at = 0; at < head->ranges; at++) chunks += 1 + plan.ranges[at].length / CHUNK + join / CHUNK + 1;
    runs = memory(chunks * sizeof *runs);
    first_run = memory((head->phases + 1) * sizeof *first_run);
    phase_next = memory(head->phases * sizeof *phase_next);
    unsigned count = 0;
    uint32_t at = 0;
    for (unsigned phase = 0; phase < head->phases; phase++) {
        first_run[phase] = count;
        while (at < head->ranges && plan.ranges[at].phase == phase) {
            uint64_t start = plan.ranges[at].offset;
            uint32_t first = at;
            end = start;
            while (at < head->ranges && plan.ranges[at].phase == phase && plan.ranges[at].offset <= end + join) {
                uint64_t stop = plan.ranges[at].offset + plan.ranges[at].length;
                if (stop > end) end = stop;
                at++;
            }
            // Places relative to the beginning of the memory.
            for (uint32_t one = first; one < at; one++)
                sources[one] = (const uint8_t *)(uintptr_t)(total + plan.ranges[one].offset - start);
            for (uint64_t place = start; place < end; place += CHUNK) {
                uint64_t length = end - place < CHUNK ? end - place : CHUNK;
                runs[count++] = (struct run){place, length, (uint8_t *)(uintptr_t)(total + place - start)};
            }
            total += end - start;
        }
    }
    first_run[head->phases] = count;
    uint8_t *base = memory(total);
    for (unsigned one = 0; one < count; one++) runs[one].to = base + (uintptr_t)runs[one].to;
    for (uint32_t one = 0; one < head->ranges; one++) sources[one] = base + (uintptr_t)sources[one];
}

static unsigned next_in(unsigned phase, unsigned count) {
    return first_run[phase] + __atomic_fetch_add(&phase_next[phase], count, __ATOMIC_RELAXED);
}

static void *read_runs(void *unused) {
    (void)unused;
    for (unsigned phase = 0; phase < plan.head->phases; phase++) {
        unsigned at, last = first_run[phase + 1], share = (last - first_run[phase]) / (threads * 16) + 1;
        while ((at = next_in(phase, share)) < last) {
            for (unsigned end = at + share < last ? at + share : last; at < end; at++) {
                const struct run *run = &runs[at];
                for (uint64_t done = 0; done < run->length;) {
                    ssize_t got = pread(input, run->to + done, run->length - done, (off_t)(run->offset + done));
                    if (got <= 0) fail("cannot read at %llu", (unsigned long long)run->offset);
                    done += (uint64_t)got;
                }
            }
        }
        if (threads > 1) pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void copy(const char *path, const char *to, unsigned writers) {
    uint64_t size;
    plan_runs();
    input = opened(path, &size);
    // The ranges are known: reading ahead beyond them is waste.
    if (join < CHUNK) posix_fadvise(input, 0, 0, POSIX_FADV_RANDOM);
    pthread_barrier_init(&barrier, NULL, threads);
    in_parallel(threads, read_runs);
    write_all(to, writers);
}

// HTTP.

static struct sockaddr_in server;
static char host[256], resource[1024];

static void parse_url(const char *url) {
    unsigned port = 80;
    char address[200];
    if (sscanf(url, "http://%199[0-9.]:%u%1023s", address, &port, resource) != 3) fail("%s: not http://ADDRESS:PORT/PATH", url);
    snprintf(host, sizeof host, "%s:%u", address, port);
    server.sin_family = AF_INET;
    server.sin_port = htons((uint16_t)port);
    if (inet_pton(AF_INET, address, &server.sin_addr) != 1) fail("%s: no IPv4 address", address);
}

struct connection { int socket, closing; size_t start, end, room; uint8_t *body; char buffer[64 << 10]; };

static void connect_to_server(struct connection *own) {
    int on = 1;
    own->closing = 0;
    own->start = own->end = 0;
    own->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(own->socket, (void *)&server, sizeof server)) fail("%s", host);
    setsockopt(own->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void receive_body(struct connection *from, uint8_t *to, uint64_t length) {
    uint64_t done = from->end - from->start;
    if (done > length) done = length;
    memcpy(to, from->buffer + from->start, done);
    from->start += done;
    while (done < length) {
        ssize_t got = recv(from->socket, to + done, length - done, 0);
        if (got <= 0) fail("a response ended early");
        done += (uint64_t)got;
    }
}

// The parts of a response to a request for several ranges.
static void divide(const struct run *at, const struct run *end, const char *body, size_t length) {
    const char *place = body, *stop = body + length;
    for (; at < end; at++) {
        unsigned long long first = 0;
        const char *data = memmem(place, (size_t)(stop - place), "\r\n\r\n", 4);
        // The head of a part is in front of it.
        const char *range = data ? memmem(place, (size_t)(data - place), "Content-Range: bytes ", 21) : NULL;
        if (!range || sscanf(range + 21, "%llu-", &first) != 1 || first != at->offset || (uint64_t)(stop - data - 4) < at->length)
            fail("not the ranges at %llu", (unsigned long long)at->offset);
        memcpy(at->to, data + 4, at->length);
        place = data + 4 + at->length;
    }
}

static void receive(struct connection *from, const struct run *at, const struct run *end) {
    char *finish;
    // The head of the response.
    for (;;) {
        from->buffer[from->end] = 0;
        finish = strstr(from->buffer + from->start, "\r\n\r\n");
        if (finish) break;
        if (from->start) {
            memmove(from->buffer, from->buffer + from->start, from->end - from->start);
            from->end -= from->start;
            from->start = 0;
        }
        if (from->end + 1 == sizeof from->buffer) fail("the head of a response is too long");
        ssize_t got = recv(from->socket, from->buffer + from->end, sizeof from->buffer - 1 - from->end, 0);
        if (got <= 0) fail("no response");
        from->end += (size_t)got;
    }
    *finish = 0;
    const char *text = strcasestr(from->buffer + from->start, "\r\nContent-Length:");
    uint64_t length = text ? strtoull(text + 17, NULL, 10) : 0;
    if (strncmp(from->buffer + from->start, "HTTP/1.1 206", 12) || (end - at == 1 && length != at->length))
        fail("not the range: %s", from->buffer + from->start);
    from->closing = strcasestr(from->buffer + from->start, "\r\nConnection: close") != NULL;
    from->start = (size_t)(finish + 4 - from->buffer);
    if (end - at == 1) {
        receive_body(from, at->to, length);
        return;
    }
    if (length > from->room) {
        free(from->body);
        from->body = malloc(from->room = length);
        if (!from->body) fail("no memory");
    }
    receive_body(from, from->body, length);
    divide(at, end, (const char *)from->body, length);
}

static int request(char *text, const struct run *at, const struct run *end) {
    int used = sprintf(text, "GET %s HTTP/1.1\r\nHost: %s\r\nRange: bytes=", resource, host);
    for (; at < end; at++)
        used += sprintf(text + used, "%llu-%llu,", (unsigned long long)at->offset, (unsigned long long)(at->offset + at->length - 1));
    return used - 1 + sprintf(text + used - 1, "\r\n\r\n");
}

// The requests of a phase in turn, `depth` of them before their responses. A server may end a connection after so many
// requests; those that it has not answered go to the next one.
static void *fetch_runs(void *unused) {
    (void)unused;
    struct connection *own = calloc(1, sizeof *own);
    unsigned pending[depth];
    char *text = malloc(2048 + 50 * grouped);
    connect_to_server(own);
    for (unsigned phase = 0; phase < plan.head->phases; phase++) {
        unsigned last = first_run[phase + 1], taken = 0, sent = 0, received = 0, more = 1;
        while (more || received < taken) {
            while (sent < taken || (more && taken - received < depth)) {
                if (sent == taken) {
                    unsigned at = next_in(phase, grouped);
                    if (at >= last) {
                        more = 0;
                        break;
                    }
                    pending[taken++ % depth] = at;
                }
                unsigned at = pending[sent++ % depth], end = at + grouped < last ? at + grouped : last;
                int used = request(text, runs + at, runs + end);
                if (send(own->socket, text, (size_t)used, MSG_NOSIGNAL) != used && errno != EPIPE && errno != ECONNRESET)
                    fail("cannot send a request");
            }
            if (received < taken) {
                unsigned at = pending[received++ % depth], end = at + grouped < last ? at + grouped : last;
                receive(own, runs + at, runs + end);
            }
            if (own->closing) {
                close(own->socket);
                connect_to_server(own);
                sent = received;
            }
        }
        if (threads > 1) pthread_barrier_wait(&barrier);
    }
    close(own->socket);
    free(own->body);
    free(own);
    free(text);
    return NULL;
}

static void fetch(const char *url, const char *to, unsigned writers) {
    parse_url(url);
    plan_runs();
    pthread_barrier_init(&barrier, NULL, threads);
    in_parallel(threads, fetch_runs);
    write_all(to, writers);
}

// Transport streams.

struct stream { uint8_t *data; size_t size, room; };
static int wanted[8192]; // the number of the stream and one, or 0
static unsigned stream_count;
static struct stream *collected; // by thread and stream
static uint64_t input_size;
static unsigned packet;

static void collect(struct stream *all, const uint8_t *at) {
    if (at[0] != 0x47) fail("a packet without a sync byte");
    int stream = wanted[(at[1] & 0x1F) << 8 | at[2]];
    if (__builtin_expect(stream == 0, 1)) return;
    unsigned start = 4;
    if (at[3] & 0x20) start += 1 + at[4];
    if (!(at[3] & 0x10) || start >= 188) return;
    struct stream *to = &all[stream - 1];
    if (to->size + 188 > to->room) {
        to->room = to->room * 2 + (1 << 20);
        to->data = realloc(to->data, to->room);
        if (!to->data) fail("no memory");
    }
    memcpy(to->data + to->size, at + start, 188 - start);
    to->size += 188 - start;
}

// A contiguous share of the file, so that the payload stays in order.
static void *scan_share(void *argument) {
    uint64_t number = (uintptr_t)argument, packets = input_size / packet, buffered = (256 << 10) / packet;
    uint64_t at = packets * number / threads, end = packets * (number + 1) / threads;
    struct stream *all = &collected[number * stream_count];
    unsigned sync = packet - 188;
    if (mapped) {
        for (; at < end; at++) collect(all, map + at * packet + sync);
        return NULL;
    }
    uint8_t *buffer = malloc(buffered * packet);
    while (at < end) {
        uint64_t count = end - at < buffered ? end - at : buffered, size = count * packet, done = 0;
        while (done < size) {
            ssize_t got = pread(input, buffer + done, size - done, (off_t)(at * packet + done));
            if (got <= 0) fail("cannot read the input");
            done += (uint64_t)got;
        }
        for (uint64_t one = 0; one < count; one++) collect(all, buffer + one * packet + sync);
        at += count;
    }
    free(buffer);
    return NULL;
}

// Joins what the threads collected.
static struct stream *scan_input(const char *path) {
    input = opened(path, &input_size);
    posix_fadvise(input, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (mapped && (map = mmap(NULL, input_size, PROT_READ, MAP_SHARED, input, 0)) == MAP_FAILED) fail("%s", path);
    collected = calloc((size_t)threads * stream_count + 1, sizeof *collected);
    in_parallel(threads, scan_share);
    for (unsigned stream = 0; stream < stream_count; stream++) {
        struct stream *to = &collected[stream];
        for (unsigned number = 1; number < threads; number++) {
            struct stream *from = &collected[number * stream_count + stream];
            to->data = realloc(to->data, to->size + from->size + 1);
            memcpy(to->data + to->size, from->data ? from->data : (uint8_t *)"", from->size);
            to->size += from->size;
        }
    }
    return collected;
}

static void scan(const char *path, const char *to, unsigned writers) {
    packet = plan.head->packet;
    if (packet < 188) fail("the plan is not for a transport stream");
    stream_count = plan.head->ranges;
    for (uint32_t stream = 0; stream < stream_count; stream++) wanted[plan.ranges[stream].offset & 8191] = (int)stream + 1;
    struct stream *found = scan_input(path);
    for (uint32_t stream = 0; stream < stream_count; stream++) {
        if (found[stream].size != plan.ranges[stream].length) fail("another size of PID %llu", (unsigned long long)plan.ranges[stream].offset);
        sources[stream] = found[stream].data;
    }
    write_all(to, writers);
}

static void streams(char **arguments, unsigned count) {
    packet = (unsigned)atoi(arguments[1]);
    if (packet < 188) fail("packets have 188 bytes or more");
    stream_count = count - 3;
    for (unsigned stream = 0; stream < stream_count; stream++) wanted[atoi(arguments[3 + stream]) & 8191] = (int)stream + 1;
    struct stream *found = scan_input(arguments[0]);
    for (unsigned stream = 0; stream < stream_count; stream++) {
        char path[4096];
        snprintf(path, sizeof path, "%s-%s", arguments[2], arguments[3 + stream]);
        int output = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (output < 0) fail("%s", path);
        put(output, found[stream].data, found[stream].size, path);
        close(output);
    }
}

// Measuring: a small process, because a child's peak of memory starts at that of its parent.
static void measure(char **arguments) {
    struct timespec start, end;
    siginfo_t about;
    struct rusage usage;
    int status;
    FILE *result = fopen(arguments[0], "we");
    if (!result) fail("%s", arguments[0]);
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = vfork();
    if (child == 0) {
        execvp(arguments[1], arguments + 1);
        _exit(127);
    }
    if (child < 0 || waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT)) fail("%s", arguments[1]);
    clock_gettime(CLOCK_MONOTONIC, &end);
    char path[64], line[256];
    unsigned long long bytes = 0, calls = 0;
    snprintf(path, sizeof path, "/proc/%d/io", (int)child);
    FILE *account = fopen(path, "re");
    while (account && fgets(line, sizeof line, account)) {
        sscanf(line, "rchar: %llu", &bytes);
        sscanf(line, "syscr: %llu", &calls);
    }
    wait4(child, &status, 0, &usage);
    fprintf(result, "%.9f %ld %llu %llu\n",
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec), usage.ru_maxrss * 1024, bytes, calls);
    fclose(result);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

int main(int count, char **arguments) {
    // The command comes first; what `run` runs has options of its own.
    const char *command = count > 1 ? arguments[1] : "";
    if (!strcmp(command, "nothing")) return 0;
    if (!strcmp(command, "run") && count > 3) measure(arguments + 2);
    int option;
    unsigned writers = 0;
    optind = 2;
    while ((option = getopt(count, arguments, "+j:t:d:r:w:m")) != -1) {
        switch (option) {
        case 'j': join = strtoull(optarg, NULL, 10); break;
        case 't': threads = (unsigned)atoi(optarg); break;
        case 'd': depth = (unsigned)atoi(optarg); break;
        case 'r': grouped = (unsigned)atoi(optarg); break;
        case 'w': writers = (unsigned)atoi(optarg); break;
        case 'm': mapped = 1; break;
        default: return 64;
        }
    }
    if (threads < 1 || threads > 256 || depth < 1 || depth > 1024 || grouped < 1 || grouped > 100) fail("too many threads or requests");
    if (!writers) writers = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    char **rest = arguments + optind;
    int left = count - optind;
    errno = 0;
    if (!strcmp(command, "streams") && left > 3) {
        streams(rest, (unsigned)left);
        return 0;
    }
    if (left != 3) {
        fputs("floor nothing | copy PLAN FILE FOLDER | fetch PLAN URL FOLDER | scan PLAN FILE FOLDER\n"
              "  | streams FILE PACKET PREFIX PID... | run RESULT COMMAND...\n", stderr);
        return 64;
    }
    open_plan(rest[0]);
    errno = 0;
    if (!strcmp(command, "copy")) copy(rest[1], rest[2], writers);
    else if (!strcmp(command, "fetch")) fetch(rest[1], rest[2], writers);
    else if (!strcmp(command, "scan")) scan(rest[1], rest[2], writers);
    else return 64;
    // The process ends without freeing anything.
    _exit(0);
}
