"""Strong ETags that tell nothing but whether an answer is still the same.

Stage: HTTP. A tag is a digest of the answer's bytes: the number of commits, or even that there was
one, would tell about reports what the answer does not show.
"""

from collections import OrderedDict
from collections.abc import Hashable
from hashlib import sha256
from threading import Lock
from typing import Final

_KEPT: Final = 4096


class Etags:
    """The tags of answers that were made, so that an unchanged one is not made again.

    What was asked includes the revision of the survey, which stays in here. The oldest of 4,096
    is forgotten first.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._tags: OrderedDict[Hashable, str] = OrderedDict()

    def known(self, asked: Hashable) -> str | None:
        """Return the tag of the answer to what is asked, if it was made before."""
        with self._lock:
            return self._tags.get(asked)

    def of(self, asked: Hashable, body: bytes) -> str:
        """Return the tag of an answer, and keep it."""
        tag = sha256(body).hexdigest()[:32]
        with self._lock:
            self._tags[asked] = tag
            self._tags.move_to_end(asked)
            if len(self._tags) > _KEPT:
                self._tags.popitem(last=False)
        return tag
