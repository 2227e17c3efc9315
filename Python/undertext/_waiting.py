"""Runs calls that block so that Python sees signals meanwhile."""
from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Callable, Generic, Iterator, Optional, TypeVar

T = TypeVar("T")

#: Seconds after which the main thread looks for signals.
SLICE = 0.1


class _Job(Generic[T]):
    """A call, and what became of it."""

    def __init__(self, work: "Callable[[], T]") -> None:
        self._claim = threading.Lock()
        self._work: "Optional[Callable[[], T]]" = work
        self._value: "Optional[T]" = None
        self._failure: "Optional[BaseException]" = None
        self.done = threading.Event()

    def claim(self) -> bool:
        """Returns ``True`` once: for the thread that makes the call, or gives it up before it began."""
        return self._claim.acquire(blocking=False)

    def run(self) -> None:
        """Makes the call."""
        work = self._work
        if work is None or not self.claim():
            return
        try:
            self._value = work()
        except BaseException as failure:  # Raised by the thread that waits.
            self._failure = failure
        self._work = None
        self.done.set()

    def result(self) -> T:
        """Returns the result, or raises the exception."""
        if self._failure is not None:
            try:
                raise self._failure
            finally:
                self._failure = None
        return self._value  # type: ignore[return-value]


_jobs: "Optional[SimpleQueue[_Job[object]]]" = None


def _serve(jobs: "SimpleQueue[_Job[object]]") -> None:
    while True:
        jobs.get().run()


def _queue() -> "SimpleQueue[_Job[object]]":
    global _jobs
    if _jobs is None:
        _jobs = SimpleQueue()
        threading.Thread(target=_serve, args=(_jobs,), name="undertext", daemon=True).start()
    return _jobs


def _forget() -> None:
    """A forked child has no thread but its own; a call that never returns keeps its thread."""
    global _jobs
    _jobs = None


os.register_at_fork(after_in_child=_forget)


#: The owners of the functions that the library is calling on this thread.
_inside = threading.local()


@contextmanager
def inside(owner: object) -> "Iterator[None]":
    """Marks that a function of ``owner``, such as a file object, is being called."""
    owners = _inside.__dict__.setdefault("owners", [])
    owners.append(owner)
    try:
        yield
    finally:
        owners.pop()


def is_inside(owner: object) -> bool:
    """Returns ``True`` if this thread is in a function of ``owner``."""
    return any(known is owner for known in _inside.__dict__.get("owners", ()))


#: The main thread waits: only a signal handler can make another call then.
_waiting = False


def interruptible(
    work: "Callable[[], T]", cancel: "Callable[[], None]", abandon: "Callable[[], None]"
) -> T:
    """Makes a call that may block.

    Signals reach the main thread of Python only between instructions. So the main thread lets another thread make the
    call, and waits for it in slices of 100 ms. An exception of a signal handler, such as ``KeyboardInterrupt``, calls
    ``cancel``; when the call has ended, the exception is raised. A second one calls ``abandon`` and is raised at once, while
    the other thread is still in the call: nothing that it uses may be freed.

    Other threads make the call themselves.
    """
    global _waiting
    if threading.current_thread() is not threading.main_thread() or sys.is_finalizing():
        return work()
    job = _Job(work)
    was_waiting, _waiting = _waiting, True
    try:
        if was_waiting:
            threading.Thread(target=job.run, name="undertext", daemon=True).start()
        else:
            _queue().put(job)  # type: ignore[arg-type]
        while not job.done.wait(SLICE):
            pass
    except BaseException:
        try:
            cancel()
            while not job.claim() and not job.done.wait(SLICE):
                pass
        except BaseException:
            abandon()
            _forget()
            raise
        raise
    finally:
        _waiting = was_waiting
    return job.result()
