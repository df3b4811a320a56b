"""ModelSpec: everything about a model that the user declares, from the command line or ``models.toml``."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from snellen.convention import parse as parse_convention
from snellen.errors import UsageError

EMBEDDERS = ("e5", "sentence-transformers")
"""Model kinds that turn texts into vectors without a server."""

EMBEDDED = ("ocr", "blind", "constant", *EMBEDDERS)
"""Model kinds that answer without a server."""

_FAMILIES = (
    (r"gpt|chatgpt|o\d(-|$)|davinci|computer-use", "openai"),
    (r"claude", "anthropic"),
    (r"gemini|gemma|palm|paligemma", "google"),
    (r"qwen|qwq|qvq|gui-owl", "qwen"),
    (r"internvl|internlm|intern-s", "internvl"),
    (r"llama", "llama"),
    (r"mistral|mixtral|pixtral|ministral|magistral", "mistral"),
    (r"deepseek|janus", "deepseek"),
    (r"glm|cogvlm|cogagent", "zhipu"),
    (r"phi-?\d", "microsoft"),
    (r"grok", "xai"),
    (r"minicpm", "minicpm"),
    (r"llava", "llava"),
    (r"kimi|moonshot", "moonshot"),
    (r"ui-tars|doubao|seed", "bytedance"),
    (r"step-?\d", "stepfun"),
    (r"molmo|olmo", "ai2"),
)


def family_of(name: str) -> str:
    """The family that a model's name suggests, empty when none does: a hint for flags, never part of a number.

    >>> family_of("openai/gpt-4o-2024-11-20")
    'openai'
    """
    last = name.lower().rsplit("/", 1)[-1]
    for pattern, family in _FAMILIES:
        if re.match(rf"(?:{pattern})", last):
            return family
    for pattern, family in _FAMILIES:
        if re.search(rf"(?:^|[-_./])(?:{pattern})", name.lower()):
            return family
    return ""


@dataclass(frozen=True, slots=True)
class Price:
    """Per million tokens, in the user's currency; `cached_input` is `input` where it is not given."""

    input: float
    output: float
    cached_input: float | None = None

    def cost(self, prompt: int, completion: int, cached: int = 0) -> float:
        """Of that many tokens; `cached` is the part of `prompt` that the server had in its cache."""
        cached_price = self.input if self.cached_input is None else self.cached_input
        return ((prompt - cached) * self.input + cached * cached_price + completion * self.output) / 1e6


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model as declared.

    Attributes:
        name: what results are filed under; for embedded models ``ocr``, ``blind``, ``constant:TEXT``.
        server_name: what the server calls it; `name` where empty.
        base_url: of an OpenAI-compatible server, up to and with ``/v1``.
        key_variable: environment variable that holds the key.
        headers: sent with every request.
        parameters: sent with every request, over the protocol's own (``temperature``, ``max_tokens``, ...).
        embeddings: whether it turns texts into vectors (``POST /embeddings``) instead of answering.
        timeout: seconds for one request; when streaming, seconds of silence between two pieces of an answer.
        stream: whether answers are streamed (``stream: true``), for servers or proxies that cut long silences.
        requests_per_minute, tokens_per_minute: limits that the server is known to have; None to learn them from it.
        image_limits: see `snellen.images.ImagePolicy.from_mapping`.
        price: per million tokens.
        family: of its makers (``qwen``); a judge or question writer of the same family is flagged.
        weights: ``open`` or ``closed``; empty where it is not declared.
        size: its parameters (7e9); None where it is not declared. Both are for comparisons alone.
        convention: how the model writes coordinates (`snellen.convention.parse`); empty where it is not declared.
        reasoning_effort: sent as ``reasoning_effort`` where given.
        revision: of its weights, as declared; part of every request's key.
        recorded: file of answers recorded elsewhere; no model is asked then.
    """

    name: str
    server_name: str = ""
    base_url: str = ""
    key_variable: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    embeddings: bool = False
    timeout: float = 600.0
    stream: bool = False
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    image_limits: Mapping[str, Any] = field(default_factory=dict)
    price: Price | None = None
    family: str = ""
    weights: str = ""
    size: float | None = None
    convention: str = ""
    reasoning_effort: str = ""
    revision: str = ""
    recorded: str = ""

    @property
    def kind(self) -> str:
        """one of `EMBEDDED`, ``replay`` or ``openai-compatible``."""
        if self.recorded:
            return "replay"
        head = self.name.split(":", 1)[0]
        return head if head in EMBEDDED and not self.base_url else "openai-compatible"

    @property
    def embeds(self) -> bool:
        """Whether it turns texts into vectors instead of answering: for judgings that compare texts."""
        return self.embeddings or self.kind in EMBEDDERS

    @property
    def argument(self) -> str:
        """What follows the colon in ``constant:TEXT``; empty for served models."""
        return self.name.partition(":")[2] if self.kind in EMBEDDED else ""

    @property
    def known_family(self) -> str:
        """Declared, else suggested by the name, else empty."""
        return self.family or ("" if self.kind != "openai-compatible" else family_of(self.server_name or self.name))

    def requested(self, protocol: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters to request: the protocol's, then the user's; a user's null removes one."""
        merged = {**protocol, **self.parameters}
        if self.reasoning_effort:
            merged["reasoning_effort"] = self.reasoning_effort
        return {name: value for name, value in merged.items() if value is not None}

    def key(self) -> str:
        """The key from the environment, empty where no variable is declared.

        Raises:
            UsageError: the declared variable is not set.
        """
        if not self.key_variable:
            return ""
        value = os.environ.get(self.key_variable, "").strip()
        if not value:
            raise UsageError(
                f"the model {self.name!r} wants a key in the environment variable {self.key_variable}, which is not set"
            )
        return value


WEIGHTS = ("open", "closed")
"""What a model's weights may be declared as."""

_FEWEST_PARAMETERS, _MOST_PARAMETERS = 1e5, 1e15  # 7 for seven billion is a slip
_LEAST, _MOST = 0.001, 1e9  # of seconds, limits and prices: anything else is a slip
_TAKEN = frozenset(("messages", "model", "stream", "stream_options"))

_TYPES: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "base_url": str,
    "key_variable": str,
    "headers": dict,
    "parameters": dict,
    "embeddings": bool,
    "timeout": (int, float),
    "stream": bool,
    "requests_per_minute": (int, float),
    "tokens_per_minute": (int, float),
    "image_limits": dict,
    "price": dict,
    "family": str,
    "weights": str,
    "size": (int, float),
    "convention": str,
    "reasoning_effort": str,
    "revision": str,
}


def read_models(path: Path) -> dict[str, ModelSpec]:
    """The models declared in a ``models.toml``: ``[models."qwen2.5-vl-7b"]`` tables; empty where there is no file.

    Raises:
        UsageError: not TOML, an unknown key, or a value of the wrong type, with file, table and key.
    """
    if not path.exists():
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise UsageError(f"{path} cannot be read as TOML: {error}") from error
    unknown = sorted(set(data) - {"models"})
    if unknown or not isinstance(data.get("models", {}), dict):
        raise UsageError(f'{path}: only tables like [models."qwen2.5-vl-7b"] belong here, found {", ".join(unknown)}')
    return {name: _from_table(path, name, table) for name, table in data.get("models", {}).items()}


def _from_table(path: Path, name: str, table: Any) -> ModelSpec:
    where = f'{path}, [models."{name}"]'
    if not isinstance(table, dict):
        raise UsageError(f"{where} is not a table")
    for key, value in table.items():
        if key not in _TYPES:
            raise UsageError(f"{where}: unknown key {key!r}; there are: {', '.join(_TYPES)}")
        if not isinstance(value, _TYPES[key]) or (isinstance(value, bool) and _TYPES[key] is not bool):
            raise UsageError(f"{where}: {key} = {value!r} has the wrong type")
    values = dict(table)
    values["server_name"] = values.pop("name", "")
    for key in ("timeout", "requests_per_minute", "tokens_per_minute"):
        if key in values and not _LEAST <= values[key] <= _MOST:
            raise UsageError(f"{where}: {key} must be a number from {_LEAST:g} to {_MOST:g}")
    if "size" in values and not _FEWEST_PARAMETERS <= values["size"] <= _MOST_PARAMETERS:
        raise UsageError(f"{where}: size is the number of the model's parameters, as in 7e9, not {values['size']!r}")
    if values.get("weights", WEIGHTS[0]) not in WEIGHTS:
        raise UsageError(f"{where}: weights is {' or '.join(WEIGHTS)}, not {values['weights']!r}")
    if taken := sorted(_TAKEN & set(values.get("parameters", {}))):
        raise UsageError(f"{where}: the parameter {taken[0]!r} is not for parameters: Snellen sets it itself")
    if "convention" in values:
        try:
            parse_convention(values["convention"])
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from error
    if bad := [key for key, value in values.get("headers", {}).items() if not isinstance(value, str)]:
        raise UsageError(f"{where}: header {bad[0]!r} is not a text")
    if "price" in values:
        allowed = {f.name for f in fields(Price)}
        price = values["price"]
        if not {"input", "output"} <= set(price) <= allowed or not all(
            isinstance(v, int | float) and not isinstance(v, bool) and 0 <= v <= _MOST for v in price.values()
        ):
            raise UsageError(
                f"{where}: price wants input and output (and cached_input) per million tokens, not {price!r}"
            )
        values["price"] = Price(**price)
    return ModelSpec(name=name, **values)


def resolve(
    name: str,
    models: Mapping[str, ModelSpec],
    *,
    base_url: str = "",
    key_variable: str = "",
    timeout: float | None = None,
    convention: str = "",
) -> ModelSpec:
    """The declared model of that name with what the command line says on top.

    Raises:
        UsageError: neither embedded nor declared nor given a base URL.
    """
    if convention:
        parse_convention(convention)
    if name.startswith("replay:"):
        path = Path(name.removeprefix("replay:"))
        return ModelSpec(name=f"replay:{path.name}", recorded=str(path), convention=convention)
    spec = models.get(name, ModelSpec(name=name))
    if base_url:
        if not re.match(r"https?://[^/\s]+", base_url):
            raise UsageError(f"the base URL {base_url!r} must begin with http:// or https://")
        spec = replace(spec, base_url=base_url.rstrip("/"))
    elif spec.base_url:
        spec = replace(spec, base_url=spec.base_url.rstrip("/"))
    if key_variable:
        if spec.kind in EMBEDDED:
            raise UsageError(f"{name!r} runs on this machine and takes no key: leave {key_variable} out")
        spec = replace(spec, key_variable=key_variable)
    if convention:
        spec = replace(spec, convention=convention)
    if timeout is not None:
        spec = replace(spec, timeout=timeout)
    if spec.kind == "openai-compatible" and not spec.base_url:
        raise UsageError(
            f"where does the model {name!r} run? Give its base URL, such as http://localhost:8000/v1, with --base-url "
            "(a judge's with --judge-base-url) or in models.toml; without a server there are: "
            f"{', '.join(each for each in EMBEDDED if each not in EMBEDDERS)}, replay:FILE, and as judges alone: "
            f"{', '.join(EMBEDDERS)}"
        )
    return spec
