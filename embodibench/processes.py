"""Work in several processes that end together: a Ctrl-C reaches this one alone, which stops the others."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Protocol, TypeVar

from embodibench.errors import EmbodiBenchError

Found = TypeVar("Found")


class Submit(Protocol):
    """Hands one call to a process."""

    def __call__(self, call: Callable[..., Found], /, *arguments: object) -> Future[Found]: ...


@contextmanager
def processes(count: int, initializer: Callable[[], None] | None = None) -> Iterator[Submit]:
    """New interpreters that take calls; whatever ends the block early, an exception or Ctrl-C, ends them at once.

    Args:
        initializer: is called in each process before anything else.

    Raises:
        EmbodiBenchError: a process died.
    """
    before = set(active_children())
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=initializer)

    def submit(call: Callable[..., Found], /, *arguments: object) -> Future[Found]:
        with _interrupts_held_back():
            return pool.submit(call, *arguments)

    try:
        yield submit
    except BaseException as error:
        for child in set(active_children()) - before:
            child.terminate()
        if isinstance(error, BrokenProcessPool):
            raise EmbodiBenchError("a process died, perhaps for want of memory; try again with --jobs 1") from error
        raise
    finally:
        pool.shutdown()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """A process that is started meanwhile never sees a Ctrl-C; this one sees it afterwards.

    The mask is what the new process inherits. It does not hold back Python's own handler, since another thread may
    take the signal; so that is exchanged as well.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler or signal.SIG_DFL)
    if came:
        signal.raise_signal(signal.SIGINT)
