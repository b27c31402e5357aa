"""The worker's loop: one process, one thread, many requests by number.

Reading, writing and removing are done at once; listing and searching in a forked child; commands
under a holder. Ends, with everything it started, when the host closes the pipe.
"""

import contextlib
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.protected import SandboxRules
from hackamore.sandbox.worker import commands, jobs, requests, watch
from hackamore.sandbox.worker.channel import Channel
from hackamore.sandbox.worker.files import read_file, remove_file, write_file
from hackamore.sandbox.worker.holder import CommandLimits
from hackamore.sandbox.worker.kernel import (
    adopt_orphans,
    counts_processes_per_namespace,
    forbid_inspection,
)
from hackamore.sandbox.worker.paths import Root
from hackamore.sandbox.worker.probe import Bait, probe
from hackamore.sandbox.worker.processes import (
    any_child_left,
    end_descendants,
    end_everything_but_me,
    end_others,
)
from hackamore.sandbox.worker.refusal import Refusal
from hackamore.sandbox.worker.seccomp import install_worker_filter
from hackamore.sandbox.worker.tree_requests import list_frame, search_frame
from hackamore.wire.frames import Frame, FrameError

_SHELLS: Final = ("/bin/bash", "/usr/bin/bash", "/bin/sh")


def main() -> None:
    """Serve requests on standard input and output until the host is gone."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    signal.signal(signal.SIGTERM, _leave)
    adopt_orphans()
    host_gone = (EOFError, BrokenPipeError, FrameError, SystemExit)
    with contextlib.suppress(*host_gone):
        Worker(Channel(incoming, outgoing)).run()
    end_descendants()


def _leave(*_: object) -> None:
    sys.exit(0)


class Worker:
    """What is going on: the root, the children, and whom to answer."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel.incoming, selectors.EVENT_READ, self._requests)
        self._commands: dict[int, commands.RunningCommand] = {}
        self._jobs: dict[int, jobs.Job] = {}
        self._root: Root | None = None
        self._confined = False
        self._limits = CommandLimits(None, None)
        self._tree_limits = watch.TreeLimits(sys.maxsize, sys.maxsize)
        self._next_look = 0.0
        self._operations: Mapping[str, Callable[[int, Frame], None]] = {
            "configure": self._configure,
            "probe": self._probe,
            "ping": self._ping,
            "read": self._read,
            "write": self._write,
            "remove": self._remove,
            "list": self._list,
            "search": self._search,
            "execute": self._execute,
            "cancel": self._cancel,
        }

    def run(self) -> None:
        """Serve until the host closes the pipe.

        Raises:
            EOFError: It has.
        """
        while True:
            waiting = self._commands or self._jobs
            for key, _ in self._selector.select(watch.SECONDS / 2 if waiting else None):
                key.data()
            if waiting:
                self._look_after_commands()
                self._look_after_jobs()
                any_child_left()

    def _requests(self) -> None:
        for frame in self._channel.receive():
            request = requests.integer(frame.header, "id")
            try:
                self._serve(request, frame)
            except Refusal as error:
                self._channel.refuse(request, error)

    def _serve(self, request: int, frame: Frame) -> None:
        operation = self._operations.get(requests.text(frame.header, "op"))
        if operation is None:
            raise Refusal(Code.INVALID_REQUEST, "There is no such operation.")
        operation(request, frame)

    @property
    def _open_root(self) -> Root:
        if self._root is None:
            raise Refusal(Code.INVALID_REQUEST, "The worker is not configured yet.")
        return self._root

    def _configure(self, request: int, frame: Frame) -> None:
        header = frame.header
        self._confined = requests.flag(header, "confined")
        if self._confined:
            install_worker_filter()
            forbid_inspection()
            processes = requests.integer(header, "processes")
            counted_inside = processes if counts_processes_per_namespace() else None
            self._limits = CommandLimits(counted_inside, requests.integer(header, "file_size"))
            self._tree_limits = watch.TreeLimits(processes, requests.integer(header, "memory"))
        rules = SandboxRules(requests.texts(header, "hidden"), requests.texts(header, "readonly"))
        self._root = Root(requests.text(header, "root"), rules)
        self._channel.reply(request)

    def _probe(self, request: int, frame: Frame) -> None:
        laid = requests.pairs(frame.header, "bait")
        found = probe(Bait(laid["canary"], laid["home"], laid["home_identity"]))
        self._channel.reply(request, found=found)

    def _ping(self, request: int, _: Frame) -> None:
        self._channel.reply(request)

    def _read(self, request: int, frame: Frame) -> None:
        limit = requests.integer(frame.header, "max_bytes")
        content = read_file(self._open_root, requests.path(frame.header), limit)
        self._channel.reply(request, content.data, path=content.path, mode=content.mode)

    def _write(self, request: int, frame: Frame) -> None:
        expected = requests.optional_text(frame.header, "expected")
        path = requests.path(frame.header)
        written = write_file(self._open_root, path, frame.payload, expected)
        self._channel.reply(request, path=written)

    def _remove(self, request: int, frame: Frame) -> None:
        path, expected = requests.path(frame.header), requests.text(frame.header, "expected")
        self._channel.reply(request, path=remove_file(self._open_root, path, expected))

    def _list(self, request: int, frame: Frame) -> None:
        root = self._open_root
        self._begin_job(jobs.start(request, lambda: list_frame(root, request, frame.header)))

    def _search(self, request: int, frame: Frame) -> None:
        root = self._open_root
        self._begin_job(jobs.start(request, lambda: search_frame(root, request, frame.header)))

    def _begin_job(self, job: jobs.Job) -> None:
        self._jobs[job.request] = job
        self._selector.register(job.answer, selectors.EVENT_READ, lambda: self._hear(job))

    def _hear(self, job: jobs.Job) -> None:
        if job.read():
            return
        self._selector.unregister(job.answer)
        os.close(job.answer)
        del self._jobs[job.request]
        job.reply(self._channel)

    def _look_after_jobs(self) -> None:
        now = time.monotonic()
        for job in self._jobs.values():
            if now > job.deadline:
                job.kill()

    def _execute(self, request: int, frame: Frame) -> None:
        header = frame.header
        with self._open_root.open_folder(requests.text(header, "folder")) as (folder, _):
            order = commands.Order(
                request=request,
                argv=(_shell(), "-c", requests.text(header, "line")),
                folder=folder,
                environment={**os.environ, **requests.pairs(header, "environment")},
                timeout=requests.number(header, "timeout"),
                max_output=requests.integer(header, "max_output"),
                limits=self._limits,
                confined=self._confined,
            )
            command = commands.start(order)
        self._commands[request] = command
        self._watch(command.output, lambda: self._output(command))
        self._watch(command.status, lambda: self._status(command))

    def _watch(self, descriptor: int, callback: Callable[[], None]) -> None:
        self._selector.register(descriptor, selectors.EVENT_READ, callback)

    def _forget(self, descriptor: int) -> None:
        self._selector.unregister(descriptor)
        os.close(descriptor)

    def _output(self, command: commands.RunningCommand) -> None:
        if not command.read_output(self._channel):
            command.output_open = False
            self._forget(command.output)

    def _status(self, command: commands.RunningCommand) -> None:
        if not command.read_status():
            self._forget(command.status)
            if command.exit_code is None:
                self._end_strays()

    def _cancel(self, request: int, frame: Frame) -> None:
        command = self._commands.get(requests.integer(frame.header, "target"))
        if command is None:
            self._channel.reply(request)
        else:
            command.stop()
            command.cancels.append(request)

    def _look_after_commands(self) -> None:
        now = time.monotonic()
        look = now >= self._next_look
        if look and self._confined and watch.crowded(self._tree_limits):
            self._disperse()
        for command in list(self._commands.values()):
            command.check_time(now)
            if look:
                self._check_limits(command)
            if command.stuck:
                self._overwhelm(command)
            if command.over:
                self._finish(command)
        if look:
            self._next_look = now + watch.SECONDS

    def _disperse(self) -> None:
        """End all commands at once: what multiplies cannot be ended one by one."""
        for command in self._commands.values():
            command.blame(watch.too_many(self._tree_limits))
        end_everything_but_me()

    def _check_limits(self, command: commands.RunningCommand) -> None:
        if command.stopping_since is None and command.held_until is None:
            over = watch.excess(command.holder, self._tree_limits)
            if over is not None:
                command.blame(over)
                command.stop()

    def _overwhelm(self, command: commands.RunningCommand) -> None:
        """End a tree that its holder could not: everything in the sandbox but us and init."""
        if not (self._confined and end_everything_but_me()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(command.holder, signal.SIGKILL)

    def _finish(self, command: commands.RunningCommand) -> None:
        if command.output_open:
            self._forget(command.output)
        del self._commands[command.request]
        command.reply(self._channel)

    def _end_strays(self) -> None:
        """Kill what was left behind by a holder that was itself killed."""
        held = {c.holder for c in self._commands.values() if c.held_until is None}
        end_others(held | {job.pid for job in self._jobs.values()})


def _shell() -> str:
    return next((path for path in _SHELLS if os.access(path, os.X_OK)), "/bin/sh")
