"""RapidOCR: the lines of text on a picture. Its ONNX models come with its package; nothing is downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.errors import ModelError
from snellen.models._page import Line

if TYPE_CHECKING:
    from PIL import Image

_ADVICE = "reading images needs RapidOCR: pip install 'snellen[ocr]'"
_THREADS = 2  # fixed: the sums of a model, and with them rare borderline readings, depend on it
_LONGEST = 960  # pixels of the longer side at which texts are looked for
_LARGEST = 2000  # pixels of the longer side of what is read; larger pages are scaled down

_engine: Any = None


def revision(argument: str = "") -> str:
    """The versions of what the readings depend on.

    Raises:
        ModelError: RapidOCR is not installed.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return ", ".join(f"{name} {version(name)}" for name in ("rapidocr", "onnxruntime", "pillow"))
    except PackageNotFoundError as error:
        raise ModelError("embedded", _ADVICE) from error


def recognize(page: Image.Image) -> list[Line]:
    """The lines on a page. Not to be called by two threads at once.

    Args:
        page: RGB; one of more than 2000 pixels is scaled down in place, and the lines are in what it is then.

    Raises:
        ModelError: RapidOCR is not installed or fails.
    """
    import numpy as np

    engine = _loaded()
    page.thumbnail((_LARGEST, _LARGEST))
    try:
        result = engine(np.asarray(page)[:, :, ::-1].copy())  # RapidOCR wants blue first
    except Exception as error:  # OpenCV, RapidOCR and onnxruntime each have their own
        raise ModelError("embedded", f"RapidOCR failed: {type(error).__name__}: {error}"[:300]) from error
    if result.txts is None or result.boxes is None:
        return []
    return [
        Line(text.strip(), *(float(edge) for edge in (*box.min(axis=0), *box.max(axis=0))))
        for text, box in zip(result.txts, result.boxes, strict=True)
        if text.strip()
    ]


def _loaded() -> Any:
    global _engine
    if _engine is None:
        try:
            import rapidocr
        except ImportError as error:
            raise ModelError("embedded", _ADVICE) from error
        folder = Path(rapidocr.__file__).parent / "models"
        models = {part: sorted(folder.glob(f"*_{part}_*.onnx")) for part in ("det", "rec")}
        if not all(models.values()):
            raise ModelError("embedded", f"RapidOCR's models are not in its package any more; {_ADVICE}")
        # naming the files keeps RapidOCR from looking for downloads
        _engine = rapidocr.RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.use_cls": False,
                "Det.model_path": str(models["det"][0]),
                "Rec.model_path": str(models["rec"][0]),
                "Det.limit_type": "max",
                "Det.limit_side_len": _LONGEST,
                "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )
    return _engine
