"""A vision-language model of LLaVA's architecture that is small enough to build, and to teach a few answers, in a test.

Only where torch and transformers are (``make test-train``). The image processor and the tokenizer are put together
here, since torchvision is not at hand and nothing can be fetched.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SIDE, PATCH = 64, 16
PATCHES = (SIDE // PATCH) ** 2
"""Tokens that an image takes in a prompt."""

_WIDTH = 64
_STEPS = 400
_SURE = 0.8  # of the least likely token of all answers: far from where another one would be written
_TEMPLATE = (
    "{% for message in messages %}<s>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}\n"
    "{% endfor %}{% if add_generation_prompt %}<s>assistant\n{% endif %}"
)


@dataclass(frozen=True)
class Lesson:
    """What is to be answered to texts that follow an image."""

    image: Path
    texts: tuple[str, ...]
    answer: str


def processor(lessons: Sequence[Lesson]) -> Any:
    """Image processor and tokenizer; the latter knows the words of the lessons, and any other text byte by byte."""
    tokenizers, transformers = importlib.import_module("tokenizers"), importlib.import_module("transformers")
    words = tokenizers.Tokenizer(tokenizers.models.BPE())
    words.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=800,
        special_tokens=["<pad>", "<s>", "</s>", "<image>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    words.train_from_iterator([text for lesson in lessons for text in (*lesson.texts, lesson.answer)], trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, bos_token="<s>", eos_token="</s>", pad_token="<pad>", padding_side="right"
    )
    square = {"height": SIDE, "width": SIDE}
    images = importlib.import_module("transformers.models.clip.image_processing_pil_clip").CLIPImageProcessorPil(
        size=square, crop_size=square
    )
    return transformers.LlavaProcessor(
        images,
        tokenizer,
        patch_size=PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=_TEMPLATE,
    )


def model(prepared: Any) -> Any:
    """A LLaVA with random weights for that processor."""
    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    torch.manual_seed(0)
    small = {"hidden_size": _WIDTH, "intermediate_size": 2 * _WIDTH, "num_hidden_layers": 2, "num_attention_heads": 4}
    tokenizer = prepared.tokenizer
    ends = {
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(**small, image_size=SIDE, patch_size=PATCH, projection_dim=_WIDTH),
        text_config=transformers.LlamaConfig(**small, **ends, vocab_size=len(tokenizer), max_position_embeddings=4096),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        image_seq_length=PATCHES,
        vision_feature_select_strategy="default",
    )
    made = transformers.LlavaForConditionalGeneration(config)
    with torch.no_grad():  # what comes of an image is as loud as words are, so that it is heard within few steps
        for weights in made.model.multi_modal_projector.parameters():
            weights.mul_(4)
    made.generation_config = transformers.GenerationConfig(**ends)
    return made


def save(made: Any, prepared: Any, folder: Path) -> None:
    """Write what a server loads."""
    made.save_pretrained(folder)
    prepared.save_pretrained(folder)


def prompt(prepared: Any, lesson: Lesson) -> str:
    """The text before the answer, with one mark where the image goes."""
    texts = [{"type": "text", "text": text} for text in lesson.texts]
    asked = [{"role": "user", "content": [{"type": "image"}, *texts]}]
    text: str = prepared.apply_chat_template(asked, add_generation_prompt=True, tokenize=False)
    return text


def teach(made: Any, prepared: Any, lessons: Sequence[Lesson]) -> float:
    """Train the model to give those answers to those questions about those images.

    Returns:
        the probability of the least likely token of all answers, given what comes before it; above a half, greedy
        decoding writes every answer.
    """
    torch, image = importlib.import_module("torch"), importlib.import_module("PIL.Image")
    pictures = [image.open(lesson.image).convert("RGB") for lesson in lessons]
    prompts = [prompt(prepared, lesson) for lesson in lessons]
    whole = [f"{text}{lesson.answer}</s>" for text, lesson in zip(prompts, lessons, strict=True)]
    batch = prepared(images=pictures, text=whole, padding=True, return_tensors="pt")
    labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
    for row, (picture, text) in enumerate(zip(pictures, prompts, strict=True)):
        labels[row, : prepared(images=picture, text=text, return_tensors="pt")["input_ids"].shape[1]] = -100
    made.model.vision_tower.requires_grad_(False)  # random features tell images apart; taught ones may come to agree
    learning = [weights for weights in made.parameters() if weights.requires_grad]
    optimizer = torch.optim.AdamW(learning, lr=3e-3, weight_decay=0)
    made.train()
    surety = 0.0
    for _ in range(_STEPS):
        logits = made(**batch).logits[:, :-1]
        losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2), labels[:, 1:], reduction="none")
        surety = float(torch.exp(-losses.detach().max()))
        if surety > _SURE:
            break
        optimizer.zero_grad()
        losses.sum().div((labels != -100).sum()).backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimizer.step()
    made.eval()
    return surety
