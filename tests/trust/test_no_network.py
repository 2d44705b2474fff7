"""A memory is written, learned from, asked, maintained, exported and erased without a socket."""

from __future__ import annotations

from tests.conftest import run


def test_the_life_of_a_memory_opens_no_socket(path: str) -> None:
    code = """
        import socket, sys

        def refused(*_, **__):
            raise AssertionError("a socket was opened")

        socket.socket.__init__ = refused
        socket.create_connection = socket.getaddrinfo = refused

        from omoide import Memory

        with Memory(sys.argv[1]) as memory:
            memory.observe("Hi, I am Otto and I live in Berlin.", session="a")
            memory.remember("Otto likes tea", kind="preference", category="other")
            memory.end("a")
            memory.learn()
            memory.flush()
            assert "Berlin" in memory.context("Where does Otto live?").markdown
            memory.maintain()
            memory.admin.export(sys.argv[1] + ".jsonl")
            memory.admin.backup(sys.argv[1] + ".backup")
            memory.forget(1)
            print(all(each.ok for each in memory.admin.doctor()))
    """
    assert run(code, path) == "True"
