"""Processes that mix verbs on one file are killed at any moment: nothing that was acknowledged is undone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = int(os.environ.get("TORTURE_KILLS", "10000"))
IMAGES = int(os.environ.get("TORTURE_IMAGES", "100000"))
SECONDS = float(os.environ.get("TORTURE_SECONDS", "60"))


def campaign(module: str, folder: Path, **given: float) -> str:
    """Runs it in a process of its own: forking one with threads, or with other files open, would be another test."""
    options = [f"--{name}={value}" for name, value in given.items()]
    command = [sys.executable, "-m", f"tests.torture.{module}", f"--folder={folder}", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_crowd_of_processes_is_killed(tmp_path: Path) -> None:
    assert "kills in 1 files" in campaign("crowd", tmp_path, kills=20)


def test_the_power_is_cut_during_a_story(tmp_path: Path) -> None:
    assert "images" in campaign("power", tmp_path, images=60, step=23)


@pytest.mark.torture
def test_many_processes_are_killed(tmp_path: Path) -> None:
    print(campaign("crowd", tmp_path, kills=KILLS, seconds=10 * SECONDS))


@pytest.mark.torture
def test_the_power_is_cut_at_every_moment(tmp_path: Path) -> None:
    print(campaign("power", tmp_path, images=IMAGES, seconds=10 * SECONDS))
