/*
 * libcurl's public headers, the table of the functions we call, and fixed-argument forms of its
 * variadic ones, which Swift cannot call. Nothing here is linked: ccurl_load() looks the functions
 * up at run time, so that a job without an address never loads the library.
 */
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#define CURL_DISABLE_TYPECHECK
#define CURL_NO_OLDIES
#include <curl/curl.h>

#include "../Binding/binding.h"

#if LIBCURL_VERSION_NUM < 0x074400
#error "libcurl 7.68 or newer is needed"
#endif

/* Every function that is called. */
#define CCURL_FUNCTIONS(X)   \
    X(curl_global_init)      \
    X(curl_easy_init)        \
    X(curl_easy_cleanup)     \
    X(curl_easy_reset)       \
    X(curl_easy_setopt)      \
    X(curl_easy_getinfo)     \
    X(curl_easy_pause)       \
    X(curl_easy_strerror)    \
    X(curl_multi_init)       \
    X(curl_multi_cleanup)    \
    X(curl_multi_add_handle) \
    X(curl_multi_remove_handle) \
    X(curl_multi_perform)    \
    X(curl_multi_poll)       \
    X(curl_multi_info_read)  \
    X(curl_url)              \
    X(curl_url_cleanup)      \
    X(curl_url_set)          \
    X(curl_url_get)          \
    X(curl_slist_append)     \
    X(curl_slist_free_all)   \
    X(curl_free)

/* The functions, each typed by libcurl's own declaration. */
typedef struct CCurlFunctions {
    CCURL_FUNCTIONS(BINDING_FIELD)
} CCurlFunctions;

/* Fills the table; NULL, or what the loader said. Call it once, from one thread. */
static inline const char *_Nullable ccurl_load(CCurlFunctions *_Nonnull table) {
    /* Both flavours of Debian have the same interface; they differ in the library for TLS. */
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY);
    if (!handle) handle = dlopen("libcurl-gnutls.so.4", RTLD_LAZY);
    BINDING_BIND_ALL(handle, CCURL_FUNCTIONS)
    if (table->curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK) return "it does not start";
    return (const char *)0;
}

static inline CURLcode ccurl_set_long(const CCurlFunctions *_Nonnull table, CURL *_Nonnull easy,
                                      CURLoption option, long value) {
    return table->curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_text(const CCurlFunctions *_Nonnull table, CURL *_Nonnull easy,
                                      CURLoption option, const char *_Nullable value) {
    return table->curl_easy_setopt(easy, option, value);
}

/* Lines of headers; they must live until the transfer ends. */
static inline CURLcode ccurl_set_lines(const CCurlFunctions *_Nonnull table, CURL *_Nonnull easy,
                                       struct curl_slist *_Nonnull lines) {
    return table->curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
}

/* Makes the request a POST with this body, which is copied. */
static inline CURLcode ccurl_set_body(const CCurlFunctions *_Nonnull table, CURL *_Nonnull easy,
                                      const void *_Nullable bytes, size_t count) {
    CURLcode code = table->curl_easy_setopt(easy, CURLOPT_POST, 1L);
    if (code == CURLE_OK)
        code = table->curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    if (code == CURLE_OK)
        code = table->curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
    return code;
}

/* Only http and https, on which every later option rests. 7.85 replaced the bit mask. */
static inline CURLcode ccurl_allow_http_only(const CCurlFunctions *_Nonnull table,
                                             CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    CURLcode code = table->curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    if (code != CURLE_UNKNOWN_OPTION) return code;
#endif
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#endif
    return table->curl_easy_setopt(easy, CURLOPT_PROTOCOLS,
                                   (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

typedef size_t (*CCurlDataCallback)(char *_Nullable bytes, size_t size, size_t count,
                                    void *_Nullable opaque);
typedef curl_socket_t (*CCurlSocketCallback)(void *_Nullable opaque, curlsocktype purpose,
                                             struct curl_sockaddr *_Nullable address);

/* The callbacks of a transfer; each gets `opaque`. */
static inline void ccurl_set_callbacks(const CCurlFunctions *_Nonnull table, CURL *_Nonnull easy,
                                       void *_Nonnull opaque, CCurlDataCallback _Nonnull header,
                                       CCurlDataCallback _Nonnull body,
                                       CCurlSocketCallback _Nonnull open_socket) {
    table->curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    table->curl_easy_setopt(easy, CURLOPT_HEADERDATA, opaque);
    table->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    table->curl_easy_setopt(easy, CURLOPT_WRITEDATA, opaque);
    table->curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    table->curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, opaque);
}

/* Where a redirect leads, or NULL; belongs to the handle until its next transfer. */
static inline const char *_Nullable ccurl_redirect(const CCurlFunctions *_Nonnull table,
                                                   CURL *_Nonnull easy) {
    char *url = 0;
    return table->curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &url) == CURLE_OK ? url : 0;
}

/* The result of the transfer that has ended; -1 if none has. */
static inline int32_t ccurl_ended(const CCurlFunctions *_Nonnull table, CURLM *_Nonnull multi) {
    int left = 0;
    CURLMsg *message;
    while ((message = table->curl_multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) return (int32_t)message->data.result;
    return -1;
}

/* Waits until something can be done, at most so many milliseconds. */
static inline void ccurl_wait(const CCurlFunctions *_Nonnull table, CURLM *_Nonnull multi,
                              int32_t milliseconds) {
    int count = 0;
    table->curl_multi_poll(multi, 0, 0, milliseconds, &count);
}

/* Opens the socket that libcurl asks for. */
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *_Nonnull address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* The bytes of an address, 4 or 16, or 0 for another family. */
static inline int32_t ccurl_address_bytes(const struct curl_sockaddr *_Nonnull address,
                                          uint8_t *_Nonnull bytes) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

static const size_t ccurl_pause = CURL_WRITEFUNC_PAUSE;
static const curl_socket_t ccurl_bad_socket = CURL_SOCKET_BAD;

#endif
