"""Splits a shell line into its commands, including nested ones, with normalised flags."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

_MAX_CHARACTERS = 8_000
_MAX_DEPTH = 3  # nested command lines
_PUNCTUATION = "();<>|&\n`"

_HEREDOC = re.compile(
    r"(?<!<)<<-?[ \t]*(['\"]?)(\w+)\1([^\n]*)\n(?:.*?^[ \t]*\2[ \t]*$|.*\Z)", re.DOTALL | re.MULTILINE
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
_KEYWORDS = frozenset(("if", "then", "elif", "else", "fi", "while", "until", "do", "done", "!", "{", "}", "$", "esac"))
# Programs that run another command, with the letters of their options that take a value.
_WRAPPERS = {
    "sudo": "ugCDhprtRT",
    "doas": "uC",
    "env": "uC",
    "nohup": "",
    "time": "fo",
    "nice": "n",
    "ionice": "cnp",
    "xargs": "InPLdsaE",
    "timeout": "ks",
    "stdbuf": "ioe",
    "setsid": "",
    "exec": "a",
    "command": "",
    "builtin": "",
}
# Programs that run the command after their first argument (a host or a container).
_REMOTE_RUNNERS = {
    ("ssh",): "bcDEeFIiJLlmOopQRSWw",
    ("docker", "exec"): "euw",
    ("docker", "compose", "exec"): "euw",
    ("podman", "exec"): "euw",
    ("kubectl", "exec"): "cn",
}
# Flags that are the same under another name.
_FLAG_ALIASES = {
    "rm": {"--recursive": "-r", "-R": "-r", "--force": "-f", "--verbose": "-v", "--interactive": "-i"},
    "cp": {"--recursive": "-r", "-R": "-r", "--force": "-f"},
    "chmod": {"--recursive": "-R"},
    "chown": {"--recursive": "-R"},
    "git": {"-f": "--force", "-a": "--all", "-d": "--delete"},
    "docker": {"-f": "--force", "-a": "--all"},
}
# Programs that accept several flags behind one dash.
_CLUSTERED = frozenset("rm cp mv ls chmod chown tar grep docker ps du df kill ln mkdir rsync sed".split())
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh"))
# Options with a value that may come before the subcommand.
_GLOBAL_OPTIONS = {
    "git": frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace")),
    "docker": frozenset(("-H", "--host", "-c", "--context", "--config", "-l", "--log-level")),
    "kubectl": frozenset(("-n", "--namespace", "--context", "--kubeconfig", "-s", "--server", "--cluster", "--user")),
    "npm": frozenset(("--prefix", "-C", "-w", "--workspace")),
    "make": frozenset(("-C", "-f")),
}


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """The words of a command in order, and its flags."""

    words: tuple[str, ...]
    flags: frozenset[str]

    def is_prefix_of(self, other: ShellCommand) -> bool:
        """Whether the other command starts with these words and has all of these flags."""
        return other.words[: len(self.words)] == self.words and self.flags <= other.flags


def parse_command(pieces: tuple[str, ...]) -> ShellCommand:
    name = pieces[0] if pieces else ""
    flags = [flag for each in pieces[1:] if _is_flag(each) for flag in _normalize_flag(name, each)]
    words = tuple(each for number, each in enumerate(pieces) if not number or not _is_flag(each))
    return ShellCommand(words, frozenset((*flags, *(each.partition("=")[0] for each in flags))))


def _normalize_flag(name: str, flag: str) -> Iterator[str]:
    """The flags in normal form: `-rf`, `-fr` and `--recursive --force` become the same."""
    long = _FLAG_ALIASES.get(name, {})
    if flag.startswith("--") or name not in _CLUSTERED or not flag[1:].isalpha():
        yield long.get(flag, flag)
        return
    for letter in flag[1:]:
        yield long.get(f"-{letter}", f"-{letter}")


@lru_cache(maxsize=256)
def split_commands(line: str) -> tuple[tuple[str, ...], ...]:
    """The words of each command in a line, without assignments, wrappers such as sudo, and redirections."""
    return tuple(_nested_commands(_HEREDOC.sub(r"\3\n", line[:_MAX_CHARACTERS].replace("\\\n", " ")), 0))


def _nested_commands(line: str, depth: int) -> Iterator[tuple[str, ...]]:
    if depth > _MAX_DEPTH:
        return
    for words in _split_words(_tokens(line)):
        bare = _strip_wrappers(words)
        pieces = tuple(piece for word in _without_global_options(bare) for piece in word.split())
        if pieces:
            yield pieces
        for inner in _inner_lines(bare):
            yield from _nested_commands(inner, depth + 1)
        for run in _executed_lines(bare):
            yield from _nested_commands(run, depth + 1)


def _tokens(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        return list(lexer)
    except ValueError:  # an unclosed quote: split by whitespace and operators
        return re.findall(r"[();<>|&\n`]+|[^\s();<>|&`'\"]+", line)


def _split_words(tokens: list[str]) -> Iterator[list[str]]:
    """The words of each command, without redirections and comments."""
    words: list[str] = []
    skip = comment = False
    for token in tokens:
        if token and not token.strip(_PUNCTUATION):
            comment = comment and "\n" not in token
            skip = ("<" in token or ">" in token) and "(" not in token
            if skip:
                words = words[:-1] if words and words[-1].isdigit() else words
            elif not comment:
                yield words
                words = []
        elif skip:
            skip = False
        elif not comment:
            comment = token.startswith("#")
            words += [] if comment else [token]
    yield words


def _strip_wrappers(words: list[str]) -> list[str]:
    """Remove assignments, shell keywords and commands that only run another command."""
    while words:
        name = _program_name(words[0])
        if name in _WRAPPERS:
            words = _skip_options(words[1:], _WRAPPERS[name])
            words = words[1:] if name == "timeout" else words
        elif name in _KEYWORDS or _ASSIGNMENT.match(words[0]):
            words = words[1:]
        else:
            break
    return words


def _skip_options(words: list[str], valued: str) -> list[str]:
    """The words after the options of a command."""
    while words and _is_flag(words[0]):
        if words[0] == "--":
            return words[1:]
        words = words[2:] if len(words[0]) == 2 and words[0][1] in valued else words[1:]
    return words


def _without_global_options(words: list[str]) -> list[str]:
    """The program without its folder, and without the values of global options."""
    if not words:
        return []
    name = _program_name(words[0])
    valued = _GLOBAL_OPTIONS.get(name, frozenset())
    kept, rest = [name], words[1:]
    while rest and _is_flag(rest[0]):
        kept.append(rest[0])
        rest = rest[2:] if rest[0] in valued else rest[1:]
    return [each for each in (*kept, *rest) if each != "--"]


def _inner_lines(words: list[str]) -> Iterator[str]:
    """Command lines inside a word: the argument of `sh -c` or `eval`, and command substitutions."""
    name = _program_name(words[0]) if words else ""
    if name in _SHELLS:
        for option, value in pairwise(words[1:]):
            if _is_flag(option) and not option.startswith("--") and "c" in option:
                yield value
                return
    if name == "eval":
        yield " ".join(words[1:])
    for word in words:
        if "$(" in word or "`" in word:
            yield word.partition("$(")[2] if "$(" in word else word.partition("`")[2]


def _executed_lines(words: list[str]) -> Iterator[str]:
    """Commands run by `find -exec`, `ssh` or inside a container."""
    name = _program_name(words[0]) if words else ""
    if name == "find":
        for at, word in enumerate(words):
            if word in ("-exec", "-execdir", "-ok", "-okdir"):
                until = next((n for n, each in enumerate(words) if n > at and each in (";", "+", "\\")), len(words))
                yield shlex.join(words[at + 1 : until])
    for runner, valued in _REMOTE_RUNNERS.items():
        if (name, *words[1 : len(runner)]) == runner:
            rest = _skip_options(_skip_options(words[len(runner) :], valued)[1:], "")
            yield " ".join(rest) if name == "ssh" else shlex.join(rest)


def _program_name(word: str) -> str:
    return (word.rsplit("/", 1)[-1] or word).removesuffix(".exe")


def _is_flag(word: str) -> bool:
    return len(word) > 1 and word.startswith("-")
