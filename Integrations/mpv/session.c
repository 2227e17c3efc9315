/* Opens and adds inputs on a thread of its own, because that waits for disks and servers. */
#define _POSIX_C_SOURCE 200809L
#include "plugin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct job {
    session_result result;
    struct job *next;
} job;

struct session {
    mpv_handle *mpv;
    undertext_model *model;
    undertext_cancellation *cancellation;
    bool with_sidecars;
    char *video;
    pthread_t thread;
    pthread_mutex_t lock; /* of the members below */
    pthread_cond_t changed;
    job *waiting, *done;
    bool is_closing;
};

static void append(job **list, job *added)
{
    while (*list != NULL)
        list = &(*list)->next;
    *list = added;
    added->next = NULL;
}

static job *make_job(const char *input, bool is_download)
{
    job *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->result.error = (undertext_error)UNDERTEXT_INIT(undertext_error);
    made->result.is_download = is_download;
    made->result.input = input != NULL ? strdup(input) : NULL;
    if (input != NULL && made->result.input == NULL) {
        free(made);
        return NULL;
    }
    return made;
}

static void refuse(undertext_error *error, const char *message)
{
    error->status = UNDERTEXT_STATUS_UNSUPPORTED;
    strncpy(error->message, message, sizeof error->message - 1);
}

/* Pipes and devices can be read only once, and mpv reads them. Other protocols are mpv's own. */
static bool is_readable(const char *input, undertext_error *error)
{
    struct stat status;
    if (strncmp(input, "http://", 7) == 0 || strncmp(input, "https://", 8) == 0
        || strncmp(input, "file://", 7) == 0)
        return true;
    if (strstr(input, "://") != NULL || strcmp(input, "-") == 0) {
        refuse(error, "only files and http or https URLs are supported; mpv draws the subtitles");
        return false;
    }
    if (stat(input, &status) == 0 && !S_ISREG(status.st_mode)) {
        refuse(error, "not a regular file; mpv draws the subtitles");
        return false;
    }
    return true;
}

static void perform(session *self, session_result *result)
{
    const char *input = result->input != NULL ? result->input : self->video;
    if (!is_readable(input, &result->error))
        return;
    if (result->input == NULL)
        undertext_model_add_video(self->model, input, self->with_sidecars, &result->error);
    else
        undertext_model_add_file(self->model, input, NULL, NULL, &result->error);
}

static void *run(void *context)
{
    session *self = context;
    pthread_mutex_lock(&self->lock);
    while (!self->is_closing) {
        job *next = self->waiting;
        if (next == NULL) {
            pthread_cond_wait(&self->changed, &self->lock);
            continue;
        }
        self->waiting = next->next;
        pthread_mutex_unlock(&self->lock);
        perform(self, &next->result);
        pthread_mutex_lock(&self->lock);
        append(&self->done, next);
        mpv_wakeup(self->mpv);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

static void wake(void *context)
{
    mpv_wakeup(context);
}

session *session_open(mpv_handle *mpv, const char *input, const char *user_agent, bool with_sidecars)
{
    session *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->mpv = mpv;
    self->with_sidecars = with_sidecars;
    self->video = strdup(input);
    self->waiting = make_job(NULL, false);
    self->cancellation = undertext_cancellation_create();
    undertext_model_options options = UNDERTEXT_INIT(undertext_model_options);
    options.cancellation = self->cancellation;
    options.user_agent = user_agent;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    if (self->video == NULL || self->waiting == NULL
        || undertext_model_create_with(&options, &self->model, NULL) != UNDERTEXT_STATUS_OK)
        goto failed;
    undertext_model_set_wakeup(self->model, wake, mpv);
    if (pthread_create(&self->thread, NULL, run, self) == 0)
        return self;
failed:
    undertext_model_free(self->model);
    undertext_cancellation_free(self->cancellation);
    free(self->waiting);
    free(self->video);
    free(self);
    return NULL;
}

static void free_jobs(job *list)
{
    while (list != NULL) {
        job *next = list->next;
        free(list->result.input);
        free(list);
        list = next;
    }
}

void session_close(session *self)
{
    if (self == NULL)
        return;
    undertext_cancellation_cancel(self->cancellation);
    pthread_mutex_lock(&self->lock);
    self->is_closing = true;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    pthread_join(self->thread, NULL);
    undertext_model_set_wakeup(self->model, NULL, NULL);
    undertext_model_free(self->model);
    undertext_cancellation_free(self->cancellation);
    free_jobs(self->waiting);
    free_jobs(self->done);
    pthread_mutex_destroy(&self->lock);
    pthread_cond_destroy(&self->changed);
    free(self->video);
    free(self);
}

undertext_model *session_model(session *self)
{
    return self->model;
}

void session_add(session *self, const char *input, bool is_download)
{
    job *added = self != NULL ? make_job(input, is_download) : NULL;
    if (added == NULL)
        return;
    pthread_mutex_lock(&self->lock);
    append(&self->waiting, added);
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

bool session_take_result(session *self, session_result *result)
{
    if (self == NULL)
        return false;
    pthread_mutex_lock(&self->lock);
    job *first = self->done;
    if (first != NULL)
        self->done = first->next;
    pthread_mutex_unlock(&self->lock);
    if (first == NULL)
        return false;
    *result = first->result;
    free(first);
    return true;
}
