"""The commands of Anthropic's memory tool: files under /memories are documents of a collection."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from omoide.domain import Node
from omoide.errors import InvalidInput, NotFound
from omoide.memory import Memory

ROOT = "/memories"
_COLLECTION = "memories"
_EMPTY_FOLDERS = "empty folders"
_FOLDER_BYTES = 4096  # of a folder, as file systems say
_NUMBERS = ("insert_line", "view_range")  # what is not a text
_DEPTH = 2
_WIDTH = 6  # of a line number, as Claude was trained to read it


class Files:
    """Each command returns a text, as the tool's own file system does; a mistake is an OmoideError."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def run(self, command: dict[str, Any]) -> str:
        """A command as the model sent it: `{"command": "view", "path": "/memories"}`."""
        if not isinstance(command, Mapping):
            raise InvalidInput(f"expected a command, got {command!r:.80}")
        given = dict(command)
        name = given.pop("command", None)
        if name not in ("view", "create", "str_replace", "insert", "delete", "rename"):
            raise InvalidInput(f"unknown command {name!r}; known are view, create, str_replace, insert, delete, rename")
        for each, value in given.items():
            if each not in _NUMBERS and not isinstance(value, str):
                raise InvalidInput(f"{name}: {each} must be a text, got {value!r:.80}")
        try:
            return str(getattr(self, name)(**given))
        except TypeError as error:
            raise InvalidInput(f"{name}: {error}") from None

    def view(self, path: str, view_range: list[int] | None = None) -> str:
        """A file with line numbers, or a directory listing two levels deep."""
        path = _checked(path)
        if (node := self._find(path)) is None:
            return self._listing(path)
        lines = _content(node).split("\n")
        first, last = view_range if view_range and len(view_range) == 2 else (1, -1)
        start = max(1, first)
        return f"Here's the content of {path} with line numbers:\n" + _numbered(
            lines, start, len(lines) if last == -1 else last
        )

    def create(self, path: str, file_text: str) -> str:
        path = _checked(path)
        if self._find(path) is not None or path in self._folders():
            raise InvalidInput(f"File {path} already exists")
        self._require_folders(path)
        self._write(path, file_text)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str = "") -> str:
        path = _checked(path)
        content = _content(self._file(path))
        count = content.count(old_str) if old_str else 0
        if count == 0:
            raise InvalidInput(f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.")
        if count > 1:
            where = _lines_of(content, old_str)
            raise InvalidInput(
                f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines: "
                f"{', '.join(map(str, where))}. Please ensure it is unique"
            )
        changed = content[: content.index(old_str)].count("\n")
        new = content.replace(old_str, new_str)
        self._write(path, new)
        lines = new.split("\n")
        shown = _numbered(lines, max(1, changed - 1), min(len(lines), changed + 3))
        return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{shown}"

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        path = _checked(path)
        lines = _content(self._file(path)).split("\n")
        if lines[-1] == "":
            lines.pop()
        if not 0 <= insert_line <= len(lines):
            raise InvalidInput(
                f"Invalid `insert_line` parameter: {insert_line}. It should be within the range [0, {len(lines)}]."
            )
        lines.insert(insert_line, insert_text.rstrip("\n"))
        self._write(path, "\n".join(lines) + "\n")
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Withdraws a file, or all files of a directory: a model deletes, so nothing is erased."""
        path = _checked(path)
        if path == ROOT:
            raise InvalidInput(f"Cannot delete the {ROOT} directory itself")
        for node in self._all(path):
            self._memory.admin.archive(node.id, withdraw=True)
        self._keep_folders({each for each in self._empty_folders() if not _within(each, path)} | {_folder(path)})
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Moves a file, or all files of a directory; the old one is withdrawn and linked with the new one."""
        old_path, new_path = _checked(old_path), _checked(new_path)
        if ROOT in (old_path, new_path):
            raise InvalidInput(f"Cannot rename the {ROOT} directory itself")
        if new_path.startswith(old_path + "/"):
            raise InvalidInput(f"{old_path} cannot be moved into itself")
        if self._find(new_path) is not None or new_path in self._folders():
            raise InvalidInput(f"The destination {new_path} already exists")
        moved, was_empty = self._all(old_path), self._empty_folders()
        self._require_folders(new_path)
        for node in moved:
            new = self._write(new_path + node.details["path"].removeprefix(old_path), _content(node))
            self._memory.graph.link(new.id, node.id, "related_to", predicate="renamed from")
            self._memory.admin.archive(node.id, withdraw=True)
        empty = {new_path + each.removeprefix(old_path) if _within(each, old_path) else each for each in was_empty}
        self._keep_folders(empty | {_folder(old_path)})
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        """Withdraws every file."""
        for node in self._memory.documents.list(_COLLECTION):
            self._memory.admin.archive(node.id, withdraw=True)
        self._keep_folders(set())
        return "All memory cleared"

    def _write(self, path: str, content: str) -> Node:
        found_by = content if content.strip() else path
        return self._memory.documents.save(_COLLECTION, path, found_by, body={"path": path, "content": content})

    def _find(self, path: str) -> Node | None:
        found = self._memory.documents.get(_COLLECTION, path)
        return found if found is not None and found.state == "live" else None

    def _file(self, path: str) -> Node:
        if (found := self._find(path)) is None:
            if path in self._folders():
                raise NotFound(f"The path {path} is not a file.")
            raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
        return found

    def _require_folders(self, path: str) -> None:
        """A file and a folder cannot share a name."""
        parts = path.removeprefix(ROOT + "/").split("/")
        for count in range(1, len(parts)):
            folder = "/".join([ROOT, *parts[:count]])
            if self._find(folder) is not None:
                raise InvalidInput(f"{folder} is a file, so there can be nothing in it")

    def _files(self) -> dict[str, Node]:
        return {str(node.details["path"]): node for node in self._memory.documents.list(_COLLECTION)}

    def _folders(self) -> set[str]:
        """Every folder: those of files, and those that were left empty."""
        paths = [*map(_folder, self._files()), *self._empty_folders(), ROOT]
        return {above for path in paths for above in _up(path)}

    def _empty_folders(self) -> set[str]:
        node = self._memory.documents.get(_EMPTY_FOLDERS, ROOT)
        return set() if node is None else set(node.details)

    def _keep_folders(self, empty: set[str]) -> None:
        """Notes which folders stay when nothing is left in them, in a withdrawn document that is never recalled."""
        if (kept := sorted(empty - {ROOT})) != sorted(self._empty_folders()):
            node = self._memory.documents.save(_EMPTY_FOLDERS, ROOT, "folders without files", body=kept)
            self._memory.admin.archive(node.id, withdraw=True)

    def _all(self, path: str) -> list[Node]:
        """The file of that path, or all files of the directory."""
        if (file := self._find(path)) is None and path not in self._folders():
            raise NotFound(f"The path {path} does not exist")
        return [file] if file else [node for name, node in sorted(self._files().items()) if _within(name, path)]

    def _listing(self, path: str) -> str:
        files, folders = self._files(), self._folders()
        if path not in folders:
            raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
        shown = {tuple(each.removeprefix(path + "/").split("/")): each for each in {*files, *folders} if each != path}
        lines = [f"{_size(_FOLDER_BYTES)}\t{path}"]
        for parts, each in sorted(shown.items()):
            if _within(each, path) and len(parts) <= _DEPTH and not any(part.startswith(".") for part in parts):
                size = len(_content(files[each]).encode()) if each in files else _FOLDER_BYTES
                lines.append(f"{_size(size)}\t{each}{'' if each in files else '/'}")
        head = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
        return "\n".join([head, *lines])


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _up(folder: str) -> list[str]:
    """A folder and those that it is in."""
    parts = folder.split("/")
    return ["/".join(parts[:count]) for count in range(2, len(parts) + 1)]


def _lines_of(content: str, part: str) -> list[int]:
    """The numbers of the lines in which a part begins, each once."""
    lines, line, seen = [], 1, 0
    for found in re.finditer(re.escape(part), content):
        line += content.count("\n", seen, found.start())
        seen = found.start()
        lines.append(line)
    return list(dict.fromkeys(lines))


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _checked(path: str) -> str:
    """Checks that a path stays under /memories, also after decoding it once or twice more."""
    plain = path.rstrip("/") if isinstance(path, str) else ""
    if plain != ROOT and not plain.startswith(ROOT + "/"):
        raise InvalidInput(f"Path must start with {ROOT}, got: {path}")
    for seen in (plain, unquote(plain), unquote(unquote(plain))):
        parts = seen[1:].split("/")
        if "\\" in seen or not seen.isprintable() or any(part in ("", ".", "..") for part in parts):
            raise InvalidInput(f"Path {path} would escape {ROOT} directory")
    return plain


def _content(node: Node) -> str:
    return str(node.details["content"])


def _numbered(lines: list[str], first: int, last: int) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{lines[number - 1]}" for number in range(first, min(last, len(lines)) + 1))


def _size(size: int) -> str:
    unit = min(max(size.bit_length() - 1, 0) // 10, 3)
    number = size / 1024**unit
    return f"{int(number) if number == int(number) else f'{number:.1f}'}{'BKMG'[unit]}"
