"""One scene, one picture: in every process, with any number of threads, on processors without AVX2 and FMA."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from embodibench.envs.aai.camera import draw, picture_digest
from tests.envs.aai.test_camera import ONE_OF_EACH, view

GOLDEN = {
    (48, 48): "4fd63befa96a3dd883d505717ff8d9de4c20f27636c421e209880300c9e47ab4",
    (37, 91): "808a6d2f3cff90dfb2b951a37d8e16f71f301ddc5aa5d20d25f9a87977204e37",
    (128, 128): "1150c144b3a3db0c0809a69e1a22b42c4486b799f3c7866f1f381de6e315859e",
}
"""Digests of the scene with one object of each kind; they change when, and only when, the look does."""

PROGRAM = """
from embodibench.envs.aai.camera import draw, picture_digest
from tests.envs.aai.test_camera import ONE_OF_EACH, view
for size in ((48, 48), (37, 91), (128, 128)):
    print(picture_digest(draw(view(*ONE_OF_EACH), *size)))
"""

OLD_PROCESSOR = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable",
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3",
    "NUMBA_CPU_NAME": "generic",
}


def drawn_elsewhere(**environment: str) -> list[str]:
    """Digests that another process prints, with these variables set."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return done.stdout.split()


def here() -> list[str]:
    return [picture_digest(draw(view(*ONE_OF_EACH), *size)) for size in GOLDEN]


def test_the_look_has_not_changed() -> None:
    assert dict(zip(GOLDEN, here(), strict=True)) == GOLDEN


def test_another_process_draws_the_same() -> None:
    assert drawn_elsewhere(PYTHONHASHSEED="7") == here()


def test_a_processor_without_avx2_and_fma_draws_the_same() -> None:
    assert drawn_elsewhere(**OLD_PROCESSOR) == here()


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_do_not_change_the_picture(threads: int) -> None:
    scene = view(*ONE_OF_EACH, yaw=20.0)
    assert (draw(scene, 200, 150, threads=threads) == draw(scene, 200, 150)).all()


def test_kernels_work_where_nothing_can_be_kept_on_disk(tmp_path: Path) -> None:
    """A cache folder inside a file cannot be made: every kernel is accepted all the same, and runs."""
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    program = "from embodibench.envs.aai.camera import casters, shading\nprint(casters.cell_range(0.0, 1.0, 0.0)[1])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "NUMBA_CACHE_DIR": str(blocked / "inside")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "2"
