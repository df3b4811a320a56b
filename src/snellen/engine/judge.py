"""Judge: a rubric with its options and, where it asks, its model; what it asks and how it reads what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from snellen import discovery
from snellen.answer import Answer
from snellen.convention import DEFAULT, Convention
from snellen.engine.as_judged import JudgedOn
from snellen.errors import UsageError
from snellen.image_policy import ImagePolicy
from snellen.item import Item
from snellen.model_spec import EMBEDDED, ModelSpec
from snellen.models.replay import Recording, recorded_key
from snellen.request import Message, Request
from snellen.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge with its options and, where it asks, its model.

    Attributes:
        name: of the rubric.
        module: with ``read`` and, for a model judge, ``ask``.
        options: every option, resolved.
        model: who is asked; None for a rule judge.
        revision: of that model, as it goes into keys.
        recording: its replies, recorded elsewhere.
        on: which version of a changed item it is shown.
        convention: how the judged model writes coordinates, for judges that read places.
        repeat: 0 for the first of several judgings of the same answers.
        sample: of every request to its model; another one for each repeat of the run and of the judging.
    """

    name: str
    module: ModuleType
    options: Mapping[str, str]
    model: ModelSpec | None = None
    revision: str = ""
    recording: Recording | None = None
    on: JudgedOn = "changed"
    convention: Convention = DEFAULT
    repeat: int = 0
    sample: int = 0

    @property
    def asks(self) -> bool:
        """Whether a model is asked (or its recorded replies are read)."""
        return self.model is not None

    @property
    def embeds(self) -> bool:
        """Whether its model is asked for vectors of texts, any number of them for one verdict."""
        return self.model is not None and hasattr(self.module, "each")

    @property
    def draws(self) -> bool:
        """Whether it may say otherwise of the same answer when it is asked again: a served model alone may."""
        model = self.model
        return model is not None and self.recording is None and model.kind not in EMBEDDED and not self.embeds

    @property
    def parity(self) -> bool:
        """Whether it scores as the published script does, cut answers included."""
        return self.options.get("scoring") == "parity"

    @property
    def label(self) -> str:
        """What stands behind the ``@`` in a judging's name."""
        changed = [v for k, v in self.options.items() if v != self.module.OPTIONS[k][0]]
        changed += [f"on-{self.on}"] if self.on != "changed" else []
        rubric = "-".join((self.name, *changed))
        return f"{rubric}-{self.model.name.rsplit('/', 1)[-1]}" if self.model is not None else rubric

    @property
    def parameters(self) -> dict[str, Any]:
        """What is requested of the judge's model."""
        if self.model is None or self.recording is not None:
            return {}
        return self.model.requested(getattr(self.module, "PARAMETERS", {}))

    @property
    def image_policy(self) -> str:
        """Name of the policy for images that its model is shown; empty where it is shown none."""
        if self.model is None or self.recording is not None or self.options.get("image") != "seen":
            return ""
        return ImagePolicy.from_mapping(self.model.image_limits).name

    def identity(self) -> dict[str, Any]:
        """What the judging is, beside the run it judges."""
        identity: dict[str, Any] = {"judge": self.name, "options": dict(self.options)}
        if self.model is not None:
            identity |= {"model": self.model.name, "revision": self.revision, "parameters": self.parameters}
        if self.recording is not None:
            identity["recorded"] = self.recording.digest
        if self._reads_places:
            identity["convention"] = self.convention.name
        if self.on != "changed":  # left out else, so that judgings of earlier versions stay what they are
            identity["on"] = self.on
        if self.repeat:  # both likewise
            identity["repeat"] = self.repeat
        if self.sample:
            identity["sample"] = self.sample
        return identity

    def source(self) -> str:
        """Digest of the judge's and the readers' source: verdicts under another one are judged anew."""
        return discovery.source_digest(self.module, *discovery.READING)

    def request(self, item: Item, answer: Answer, attempt: int) -> Request | None:
        """What is asked of the judge's model; None where nothing needs to be."""
        if self.model is None:
            return None
        ask = getattr(self.module, "ask", None)
        messages = ask(item, answer, **self._given()) if ask is not None else ()
        if messages is None:
            return None
        return self._asking(item, messages, attempt)

    def embeddings(self, item: Item, answer: Answer) -> list[Request]:
        """One request for each text whose vector the verdict needs, in the order in which `read` takes them."""
        return [self._asking(item, messages, 0) for messages in self.module.each(item, answer, **self._given())]

    @property
    def _reads_places(self) -> bool:
        return bool(getattr(self.module, "CONVENTION", False))

    def _given(self) -> dict[str, Any]:
        return {**self.options, "convention": self.convention} if self._reads_places else dict(self.options)

    def _asking(self, item: Item, messages: tuple[Message, ...], attempt: int) -> Request:
        assert self.model is not None
        parameters = self.parameters
        if self.recording is not None:
            parameters = {"recorded": recorded_key(self.recording.text(item.id, judging=True) or "")}
        request = Request(messages, self.model.name, self.revision, parameters, sample=self.sample, attempt=attempt)
        if request.images and self.recording is None:
            return replace(request, image_policy=ImagePolicy.from_mapping(self.model.image_limits).name)
        return request

    def read(self, item: Item, answer: Answer, replies: Sequence[Answer]) -> Verdict:
        """The verdict. Raises UnreadableReplyError."""
        verdict = self.module.read(item, answer, replies, **self._given())
        if not isinstance(verdict, Verdict):
            raise UsageError(f"the judge {self.name!r} gave {type(verdict).__name__} instead of a Verdict")
        return verdict


def resolve_options(name: str, module: ModuleType, given: Mapping[str, str]) -> dict[str, str]:
    """Every option of a judge with its value.

    Raises:
        UsageError: an unknown option or value.
    """
    allowed: Mapping[str, tuple[str, ...]] = module.OPTIONS
    for option, value in given.items():
        if option not in allowed:
            raise UsageError(f"the judge {name!r} has no option {option!r}; there are: {', '.join(allowed) or 'none'}")
        if value not in allowed[option]:
            raise UsageError(f"{option}={value!r}: the judge {name!r} takes {' or '.join(allowed[option])}")
    return {option: given.get(option, values[0]) for option, values in allowed.items()}
