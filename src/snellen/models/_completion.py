"""From a chat completion to an answer."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from snellen.answer import Answer, Likelihood, Status, Usage
from snellen.errors import ModelError

_BROKEN_OFF = ("error", "abort", "insufficient_system_resource")
"""Finish reasons of servers that gave up in the middle: OpenRouter's, vLLM's and SGLang's, DeepSeek's."""


def load(data: bytes) -> Any:
    """The value in a body, None where there is none; a lone surrogate that strict parsers refuse is let through."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            return None


def quote(data: bytes, key: str) -> str:
    """The beginning of a body, for people, without the key."""
    return redact(" ".join(data[:400].decode("utf-8", "replace").split()), key)[:200] or "(empty)"


def redact(text: str, key: str) -> str:
    """The text without the key."""
    return text.replace(key, "[key]") if key else text


def answer(reply: Any, said: Callable[[], str], latency: float, sent: Mapping[str, Any]) -> Answer:
    """The answer in the value of a body with status 200; `said` gives the beginning of the body, for messages.

    Raises:
        ModelError: it holds none, an error instead, or one that the server broke off.
    """
    if not isinstance(reply, dict):
        raise ModelError("malformed", f"the body is no JSON object: {said()}", retry=True, status=200)
    if isinstance(reply.get("error"), dict | str) and not reply.get("choices"):
        raise failed(reply["error"], said())
    try:
        choice = reply["choices"][0]
        message = choice["message"]
        content, thinking = content_of(message.get("content"))
        thinking = message.get("reasoning_content") or message.get("reasoning") or thinking
        finish = choice.get("finish_reason") or ""
        refusal = message.get("refusal") or ""
        if not isinstance(thinking, str) or not isinstance(finish, str) or not isinstance(refusal, str):
            raise TypeError("a field of the message is not a text")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        text = f"no chat completion ({type(error).__name__}: {error}): {said()}"
        raise ModelError("malformed", text, retry=True, status=200) from error
    if finish in _BROKEN_OFF:
        raise ModelError("server", f"the answer was broken off ({finish}): {said()}", retry=True, status=200)
    status: Status = "truncated" if finish in ("length", "max_tokens") else "answered"
    if finish == "content_filter":
        status = "blocked"
    model = reply.get("model")
    return Answer(
        status=status,
        text=_clean(content or refusal),
        thinking=_clean(thinking),
        finish_reason=finish,
        usage=_usage(reply.get("usage")),
        latency=latency,
        sent=sent,
        server_model=_clean(model) if isinstance(model, str) else "",
        likelihood=_likelihood(choice.get("logprobs")),
    )


def log_probabilities(logprobs: Any) -> list[float]:
    """Those of the tokens of a choice, in order; empty where there are none, or none that can be read.

    Of chat completions (``content``) and of servers that answer in the older form (``token_logprobs``).
    """
    if not isinstance(logprobs, dict):
        return []
    found = logprobs.get("content")
    if isinstance(found, list):
        found = [each.get("logprob") if isinstance(each, dict) else None for each in found]
    else:
        found = logprobs.get("token_logprobs")
    if not isinstance(found, list):
        return []
    return [float(each) for each in found if isinstance(each, int | float) and each <= 0 and math.isfinite(each)]


def _likelihood(logprobs: Any) -> Likelihood | None:
    found = log_probabilities(logprobs)
    return Likelihood(round(math.fsum(found), 4), len(found), round(min(found), 4)) if found else None


def failed(error: Any, said: str) -> ModelError:
    """An error that came with status 200; one about too many requests is told from the others."""
    codes = (error.get("code"), error.get("type")) if isinstance(error, dict) else ()
    limited = any(str(code) in ("429", "rate_limit_exceeded", "rate_limit_error") for code in codes)
    return ModelError(
        "rate_limit" if limited else "server", f"an error with status 200: {said}", retry=True, status=200
    )


def _clean(text: str) -> str:
    """The text with lone surrogates replaced, since they cannot be stored as UTF-8; pairs of them are joined."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def content_of(content: Any) -> tuple[str, str]:
    """(text, thinking) of a message's content; some servers answer with a list of parts, as it is asked."""
    if isinstance(content, str):
        return content, ""
    text, thinking = [], []
    for part in content or ():
        if part.get("type") in ("text", "output_text"):
            text.append(part["text"])
        elif part.get("type") == "thinking":  # Mistral: its text, or parts again
            thoughts = part["thinking"]
            thinking.append(thoughts if isinstance(thoughts, str) else content_of(thoughts)[0])
    return "".join(text), "".join(thinking)


def _count(source: Any, *names: str) -> int | None:
    if isinstance(source, dict):
        for name in names:
            value = source.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53:
                return value
    return None


def _usage(usage: Any) -> Usage:
    """The counts, such that cached tokens are a part of the prompt's and reasoning a part of the completion's.

    Most servers count so. Where the total shows that a server counts thinking beside the completion (xAI, Google), or
    where thinking is more than the completion, it is added to the completion, as it is paid.
    """
    if not isinstance(usage, dict):
        return Usage()
    prompt = _count(usage, "prompt_tokens", "input_tokens")
    completion = _count(usage, "completion_tokens", "output_tokens")
    total = _count(usage, "total_tokens")
    cached = _count(usage.get("prompt_tokens_details"), "cached_tokens")
    if cached is None:
        cached = _count(usage.get("input_tokens_details"), "cached_tokens")
    if cached is None:
        cached = _count(usage, "prompt_cache_hit_tokens", "cached_tokens")
    reasoning = _count(usage.get("completion_tokens_details"), "reasoning_tokens")
    if reasoning is None:
        reasoning = _count(usage.get("output_tokens_details"), "reasoning_tokens")
    if reasoning is None:
        reasoning = _count(usage, "reasoning_tokens")
    if completion is None:
        if prompt is not None and total is not None and total >= prompt:
            completion = total - prompt
    elif prompt is not None and total is not None:
        beyond = total - prompt - completion
        # What nothing else explains is thinking that is not reported by itself.
        if beyond > 0 and (beyond == reasoning or (not reasoning and beyond != cached)):
            completion += beyond
    elif reasoning and reasoning > completion:
        completion += reasoning
    if cached is not None and prompt is not None:
        cached = min(cached, prompt)
    return Usage(prompt, completion, cached, reasoning)
