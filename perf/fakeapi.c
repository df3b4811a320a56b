/* fakeapi: a fast stand-in for an OpenAI-compatible chat completions server, for measuring clients.
 *
 *     cc -O2 -o fakeapi fakeapi.c && ./fakeapi [PORT [JUDGE_REPLY]]
 *
 * One thread, epoll, HTTP/1.1 with keep-alive, on 127.0.0.1 only. Once it listens it prints "port N"; PORT 0 takes a
 * free one. Bodies need a Content-Length; they are drained and never stored: only the first and the last 4 KiB are
 * kept, since that is where clients put "model". No faults are injected and no request is logged.
 *
 *     POST /LATENCY_MS/v1/chat/completions   a fixed answer, that long after the last byte of the body (0: at once)
 *     GET  .../v1/models                     a list of models
 *     GET  /stats                            counters since the last /reset, as JSON
 *     GET  /reset                            zero the counters
 *
 * A request whose path or model holds "judge" gets JUDGE_REPLY (escaped as in JSON; "Score: 1" if none is given).
 *
 * Linux only. It answers 10,000 to 29,000 requests a second with bodies of 85 to 200 KB on one core, far above any
 * client that is measured with it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEADER_BYTES = 16384, KEPT_BYTES = 4096, MOST_CONNECTIONS = 65536, EVENTS = 512, READ_BYTES = 1 << 20 };

typedef enum { CHAT, STATS, RESET, MODELS } kind;

typedef struct {
    int fd;
    uint64_t number; /* tells a connection from a later one with the same descriptor */
    kind kind;
    int in_body, judge, latency_ms;
    long expected, received; /* bytes of the body */
    int header_bytes, first_bytes, last_bytes;
    char header[HEADER_BYTES], first[KEPT_BYTES], last[KEPT_BYTES];
    char *reply;
    int reply_bytes, reply_sent;
} connection;

typedef struct {
    double when;
    int fd;
    uint64_t number; /* 0: the client has gone */
} due;

static const char *ANSWER =
    "The chart does not show any value for that item, so the question cannot be answered from the figure. The x axis "
    "lists the training steps and the y axis the accuracy; no series has the label that the question names.";
static const char *MODEL_LIST =
    "{\"object\":\"list\",\"data\":[{\"id\":\"vlm\",\"object\":\"model\",\"created\":1,\"owned_by\":\"x\"},"
    "{\"id\":\"judge\",\"object\":\"model\",\"created\":1,\"owned_by\":\"x\"}]}";
static const char *judge_reply = "Score: 1";

static connection *connections[MOST_CONNECTIONS];
static int poller;
static uint64_t connections_made, replies_made;
static char piece[READ_BYTES];

static struct {
    long requests, judge, connections, in_flight, most_in_flight, bytes_in, closed_early;
    double first, last;            /* the first chat request's header, the last answer; seconds */
    double area, area_until;       /* integral of the requests in flight over time */
} counters;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

/* A heap of answers that are due, the earliest at its top. */

static due *heap;
static int heap_size, heap_capacity;

static void heap_push(due entry) {
    if (heap_size == heap_capacity) {
        heap_capacity = heap_capacity ? heap_capacity * 2 : 1024;
        heap = realloc(heap, heap_capacity * sizeof *heap);
        if (!heap) abort();
    }
    int at = heap_size++;
    for (; at && heap[(at - 1) / 2].when > entry.when; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = entry;
}

static due heap_pop(void) {
    due top = heap[0], moved = heap[--heap_size];
    int at = 0;
    for (int child; (child = 2 * at + 1) < heap_size; at = child) {
        if (child + 1 < heap_size && heap[child + 1].when < heap[child].when) child++;
        if (heap[child].when >= moved.when) break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
    return top;
}

/* Counting */

static void count_in_flight(int change) {
    double time = now();
    if (counters.area_until > 0) counters.area += counters.in_flight * (time - counters.area_until);
    counters.area_until = time;
    counters.in_flight += change;
    if (counters.in_flight > counters.most_in_flight) counters.most_in_flight = counters.in_flight;
}

static void reset_counters(void) {
    long in_flight = counters.in_flight;
    memset(&counters, 0, sizeof counters);
    counters.in_flight = counters.most_in_flight = in_flight;
}

/* Replies */

static void drop(connection *c) {
    epoll_ctl(poller, EPOLL_CTL_DEL, c->fd, 0);
    close(c->fd);
    connections[c->fd] = 0;
    free(c->reply);
    free(c);
}

static void listen_for(connection *c, int also_writable) {
    struct epoll_event event = {.events = EPOLLIN | (also_writable ? EPOLLOUT : 0), .data.fd = c->fd};
    epoll_ctl(poller, EPOLL_CTL_MOD, c->fd, &event);
}

/* All three below return -1 where the connection is gone. */

static int flush_reply(connection *c) {
    while (c->reply_sent < c->reply_bytes) {
        ssize_t sent = write(c->fd, c->reply + c->reply_sent, c->reply_bytes - c->reply_sent);
        if (sent < 0 && errno == EAGAIN) {
            listen_for(c, 1);
            return 0;
        }
        if (sent < 0) {
            drop(c);
            return -1;
        }
        c->reply_sent += sent;
    }
    c->reply_bytes = c->reply_sent = 0;
    return 0;
}

static int respond(connection *c, const char *body, int bytes) {
    free(c->reply);
    c->reply = malloc(bytes + 512);
    if (!c->reply) abort();
    c->reply_bytes = sprintf(c->reply,
                             "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req-%lu\r\n"
                             "content-length: %d\r\n\r\n",
                             (unsigned long)replies_made++, bytes);
    memcpy(c->reply + c->reply_bytes, body, bytes);
    c->reply_bytes += bytes;
    c->reply_sent = 0;
    return flush_reply(c);
}

static int answer(connection *c) {
    char body[KEPT_BYTES];
    count_in_flight(-1);
    counters.last = counters.area_until;
    counters.judge += c->judge;
    int bytes = snprintf(
        body, sizeof body,
        "{\"id\":\"chatcmpl-%lu\",\"object\":\"chat.completion\",\"created\":%ld,\"model\":\"%s\",\"choices\":[{"
        "\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\",\"refusal\":null},\"logprobs\":null,"
        "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1100,\"completion_tokens\":44,"
        "\"total_tokens\":1144}}",
        (unsigned long)replies_made, (long)time(0), c->judge ? "judge" : "vlm", c->judge ? judge_reply : ANSWER);
    return respond(c, body, bytes);
}

static int respond_stats(connection *c) {
    char body[1024];
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double cpu = used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
    double window = counters.last > counters.first ? counters.last - counters.first : 0;
    int bytes = snprintf(body, sizeof body,
                         "{\"requests\":%ld,\"judge\":%ld,\"connections\":%ld,\"in_flight\":%ld,"
                         "\"most_in_flight\":%ld,\"mean_in_flight\":%.2f,\"bytes_in\":%ld,\"closed_early\":%ld,"
                         "\"window_s\":%.4f,\"server_cpu_s\":%.3f}\n",
                         counters.requests, counters.judge, counters.connections, counters.in_flight,
                         counters.most_in_flight, window > 0 ? counters.area / window : 0, counters.bytes_in,
                         counters.closed_early, window, cpu);
    return respond(c, body, bytes);
}

/* Requests */

static int names_judge(const char *text, int bytes) {
    const char *model = memmem(text, bytes, "\"model\"", 7);
    if (!model) return -1;
    int rest = text + bytes - model;
    return memmem(model, rest < 48 ? rest : 48, "judge", 5) != 0;
}

static int request_is_whole(connection *c) {
    c->in_body = 0;
    if (c->kind == STATS) return respond_stats(c);
    if (c->kind == MODELS) return respond(c, MODEL_LIST, strlen(MODEL_LIST));
    if (c->kind == RESET) {
        reset_counters();
        return respond(c, "{}", 2);
    }
    counters.requests++;
    count_in_flight(1);
    if (!c->judge) {
        int found = names_judge(c->last, c->last_bytes);
        if (found < 0) found = names_judge(c->first, c->first_bytes);
        c->judge = found > 0;
    }
    if (c->latency_ms <= 0) return answer(c);
    heap_push((due){counters.area_until + c->latency_ms * 1e-3, c->fd, c->number});
    return 0;
}

static int begin_request(connection *c, int header_bytes) {
    c->header[header_bytes] = 0;
    c->header_bytes = 0;
    c->kind = !strncmp(c->header, "GET /stats", 10)   ? STATS
              : !strncmp(c->header, "GET /reset", 10) ? RESET
              : !strncmp(c->header, "GET ", 4)        ? MODELS
                                                      : CHAT;
    if (c->kind == CHAT && counters.first == 0) counters.first = counters.area_until = now();
    char *path = strchr(c->header, '/'), *end = strstr(c->header, "\r\n");
    c->latency_ms = path ? atoi(path + 1) : 0;
    c->judge = end && memmem(c->header, end - c->header, "judge", 5) != 0;
    char *length = strcasestr(c->header, "\r\ncontent-length:");
    c->expected = length ? atol(length + 17) : 0;
    c->received = c->first_bytes = c->last_bytes = 0;
    c->in_body = 1;
    if (strcasestr(c->header, "\r\ntransfer-encoding: chunked")) {
        fprintf(stderr, "fakeapi: a chunked body; send a Content-Length\n");
        drop(c);
        return -1;
    }
    if (strcasestr(c->header, "\r\nexpect: 100-continue") &&
        write(c->fd, "HTTP/1.1 100 Continue\r\n\r\n", 25) != 25) {
        drop(c);
        return -1;
    }
    return 0;
}

static void keep_ends(connection *c, const char *data, long bytes) {
    counters.bytes_in += bytes;
    if (c->first_bytes < KEPT_BYTES) {
        long room = KEPT_BYTES - c->first_bytes, taken = bytes < room ? bytes : room;
        memcpy(c->first + c->first_bytes, data, taken);
        c->first_bytes += taken;
    }
    if (bytes >= KEPT_BYTES) {
        memcpy(c->last, data + bytes - KEPT_BYTES, KEPT_BYTES);
        c->last_bytes = KEPT_BYTES;
        return;
    }
    long over = c->last_bytes + bytes - KEPT_BYTES;
    if (over > 0) {
        memmove(c->last, c->last + over, c->last_bytes - over);
        c->last_bytes -= over;
    }
    memcpy(c->last + c->last_bytes, data, bytes);
    c->last_bytes += bytes;
}

static void client_left(connection *c) {
    counters.closed_early += c->in_body;
    for (int i = 0; i < heap_size; i++)
        if (heap[i].fd == c->fd && heap[i].number == c->number) {
            count_in_flight(-1);
            counters.closed_early++;
            heap[i].number = 0;
        }
    drop(c);
}

/* Takes header bytes; returns how many, -1 where the connection is gone. */
static long take_header(connection *c, const char *data, long bytes) {
    int before = c->header_bytes, room = HEADER_BYTES - 1 - before;
    int taken = bytes < room ? bytes : room;
    if (taken <= 0) {
        drop(c);
        return -1;
    }
    memcpy(c->header + before, data, taken);
    c->header_bytes += taken;
    char *end = memmem(c->header, c->header_bytes, "\r\n\r\n", 4);
    if (!end) return taken;
    int header_bytes = end + 4 - c->header;
    return begin_request(c, header_bytes) < 0 ? -1 : header_bytes - before;
}

static void receive(connection *c) {
    int fd = c->fd;
    for (;;) {
        ssize_t got = read(fd, piece, sizeof piece);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) {
            client_left(c);
            return;
        }
        for (long at = 0; at < got;) {
            if (!c->in_body) {
                long taken = take_header(c, piece + at, got - at);
                if (taken < 0) return;
                at += taken;
                if (!c->in_body) continue;
            }
            long wanted = c->expected - c->received, taken = wanted < got - at ? wanted : got - at;
            if (taken > 0) {
                keep_ends(c, piece + at, taken);
                c->received += taken;
                at += taken;
            }
            if (c->received == c->expected && request_is_whole(c) < 0) return;
        }
        if (got < (ssize_t)sizeof piece) return;
    }
}

static void accept_all(int listener) {
    int fd, yes = 1;
    while ((fd = accept4(listener, 0, 0, SOCK_NONBLOCK)) >= 0) {
        connection *c = fd < MOST_CONNECTIONS ? calloc(1, sizeof *c) : 0;
        if (!c) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        c->fd = fd;
        c->number = ++connections_made;
        connections[fd] = c;
        counters.connections++;
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
    }
}

static int open_listener(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (void *)&address, size) || listen(listener, 4096) ||
        getsockname(listener, (void *)&address, &size)) {
        perror("fakeapi");
        exit(1);
    }
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static int milliseconds_to_next(void) {
    if (!heap_size) return -1;
    double left = (heap[0].when - now()) * 1e3;
    return left <= 0 ? 0 : (int)left + 1;
}

int main(int count, char **arguments) {
    if (count > 2) judge_reply = arguments[2];
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files = {MOST_CONNECTIONS, MOST_CONNECTIONS};
    setrlimit(RLIMIT_NOFILE, &files); /* refused to ordinary users: then fewer connections are taken */
    int listener = open_listener(count > 1 ? atoi(arguments[1]) : 9100);
    poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(poller, events, EVENTS, milliseconds_to_next());
        for (int i = 0; i < ready; i++) {
            connection *c = connections[events[i].data.fd];
            if (events[i].data.fd == listener) {
                accept_all(listener);
                continue;
            }
            if (c && events[i].events & EPOLLOUT) {
                listen_for(c, 0);
                if (flush_reply(c) < 0) continue;
            }
            if (c && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) receive(c);
        }
        for (double time = now(); heap_size && heap[0].when <= time;) {
            due next = heap_pop();
            connection *c = connections[next.fd];
            if (c && next.number && c->number == next.number) answer(c);
        }
    }
}
