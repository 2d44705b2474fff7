"""JSON of any size with the memory of one element: a long list is read one element after the other."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, NoReturn

from omoide.errors import InvalidInput
from omoide.transfer.source import Page, Reader

CHUNK = 65_536  # characters; doubled while an element is not whole, so that reading it again costs no more than it
LONGEST = 64_000_000  # characters of one element or line: a conversation of a lifetime is a tenth of that


def elements(page: Page) -> Iterator[tuple[int, Any]]:
    """The elements of the list that a file holds, counted from 1; a file that holds no list is its only element."""
    with page.opened() as file:
        window = _Window(file, page.name)
        if window.peek() != "[":
            yield 1, window.value(1)
            window.require_end()
            return
        window.step()
        number = 0
        if window.peek() == "]":
            window.step()
            window.require_end()
            return
        while True:
            number += 1
            yield number, window.value(number)
            sign = window.peek()
            if sign not in (",", "]"):
                window.refuse(number, "a comma or the end of the list is missing behind it")
            window.step()
            if sign == "]":
                window.require_end()
                return


def lines(page: Page) -> Iterator[tuple[int, Any, str | None]]:
    """The lines of a file of JSON: number, value, and why there is none."""
    with page.opened() as file:
        number = 0
        while line := file.readline(LONGEST + 1):
            number += 1
            if len(line) > LONGEST:
                while line and not line.endswith(b"\n"):
                    line = file.readline(LONGEST)
                yield number, None, "a line is too long"
                continue
            if not line.strip():
                continue
            try:
                yield number, _loads(line.decode("utf-8-sig")), None
            except (ValueError, RecursionError):
                yield number, None, "a line is not JSON"


def whole(page: Page) -> Any:
    """The one document of a file."""
    try:
        return _loads(page.text())
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{page.name} is not JSON ({error})") from error


class _Window:
    """The part of a file that is being looked at."""

    def __init__(self, file: Reader, name: str) -> None:
        self._file = file
        self._name = name
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._json = json.JSONDecoder(parse_constant=_refused)

    def peek(self) -> str:
        """The next character that is no space; nothing at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._more(CHUNK)

    def step(self) -> None:
        self._at += 1

    def value(self, number: int) -> Any:
        """The next value, however many chunks it spans."""
        size = CHUNK
        self.peek()
        while True:
            try:
                found, end = self._json.raw_decode(self._text, self._at)
            except RecursionError:
                self.refuse(number, "it is nested too deeply")
            except ValueError as error:
                if self._ended or len(self._text) - self._at > LONGEST or not isinstance(error, json.JSONDecodeError):
                    self.refuse(number, f"{error}")
            else:
                if end < len(self._text) or self._ended:  # else a number might go on
                    self._at = end
                    return found
            self._more(size)
            size *= 2

    def require_end(self) -> None:
        if self.peek():
            raise InvalidInput(f"{self._name}: something stands behind the end; is it one JSON document?")

    def refuse(self, number: int, why: str) -> NoReturn:
        raise InvalidInput(f"{self._name}, element {number}: not JSON ({why})")

    def _more(self, size: int) -> None:
        chunk = self._file.read(size)
        self._ended = not chunk
        try:
            self._text = self._text[self._at :] + self._decode.decode(chunk, self._ended)
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{self._name} is not text in UTF-8") from error
        self._at = 0


def _loads(text: str) -> Any:
    return json.loads(text, parse_constant=_refused)


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
