"""Work in forked children that die by SIGKILL at a chosen statement."""

import os
import signal


def child(work, *arguments) -> int:
    """Fork; run work in the child; leave without any clean-up of the parent's."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        work(*arguments)
        status = 0
    finally:
        os._exit(status)


def wait(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Killed:
    """A connection that dies by SIGKILL before or after the nth statement of its process."""

    def __init__(self, connection, fuse: list[int], *, after: bool) -> None:
        self._connection, self._fuse, self._after = connection, fuse, after

    def execute(self, sql, parameters=()):
        self._fuse[0] -= 1
        if self._fuse[0] == 0 and not self._after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = self._connection.execute(sql, parameters)
        if self._fuse[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    def close(self) -> None:
        self.execute("SELECT 1")
        self._connection.close()
        self._fuse[0] -= 1
        if self._fuse[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
