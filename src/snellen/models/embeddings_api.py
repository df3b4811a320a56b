"""Embedding models behind an OpenAI-compatible server: ``POST /embeddings``, one text a request.

Retries, negotiation of parameters and errors are those of chat completions. The answer's text is the vector, as
`snellen.readers.embedding` writes it, so it is kept in the ledger under the text that it is of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from snellen.answer import Answer, Usage
from snellen.errors import ModelError, UnreadableReplyError
from snellen.models._completion import load
from snellen.models.openai_compatible import OpenAICompatible
from snellen.readers import embedding
from snellen.request import Request


class EmbeddingsAPI(OpenAICompatible):
    """A client of one server and embedding model."""

    PATH = "embeddings"

    async def body(self, request: Request, *, stream: bool = False) -> tuple[bytes, dict[str, Any]]:
        """The JSON body of a request, and what is recorded of it; nothing is ever streamed."""
        parameters = self._negotiated({"encoding_format": "float", **request.parameters})
        name = self.spec.server_name or self.spec.name
        return orjson.dumps({"model": name, "input": request.text(), **parameters}), {"parameters": parameters}

    def read_reply(self, data: bytes, latency: float, sent: Mapping[str, Any]) -> Answer:
        """The vector in a body that came with status 200.

        Raises:
            ModelError: it holds none.
        """
        reply = load(data)
        try:
            vector = reply["data"][0]["embedding"]
            # Some servers give base64 whatever is asked for; both are written the same way.
            text = embedding.write(embedding.read(vector) if isinstance(vector, str) else vector)
            embedding.read(text)
        except (KeyError, IndexError, TypeError, ValueError, UnreadableReplyError) as error:
            raise ModelError("malformed", f"no vector in the reply: {self._quote(data)}", retry=True) from error
        usage = reply.get("usage")
        prompt = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        return Answer(
            status="answered",
            text=text,
            finish_reason="stop",
            usage=Usage(prompt=prompt if isinstance(prompt, int) else None, completion=0),
            latency=latency,
            sent=sent,
            server_model=str(reply.get("model") or ""),
        )
