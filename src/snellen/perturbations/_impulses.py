"""Values driven to the ends of the range."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from snellen.perturbations._draws import share
from snellen.perturbations._pixels import Pixels, finished


def impulses(image: Pixels, draws: NDArray[np.uint16], part: float) -> Pixels:
    """The image with this part of its values lost, half to 0 and half to 255.

    Args:
        draws: uniform, one for each value, or one for each pixel (height, width) whose channels are to go together.
        part: 0 to 1.
    """
    half = share(part / 2)
    # Masks of 0 and 255 make it two passes of plain logic; indexing by booleans is ten times slower.
    pepper = -(draws >= half).view(np.int8)
    salt = -(draws >= 65_536 - half).view(np.int8)
    masks = [mask.view(np.uint8) for mask in (pepper, salt)]
    if draws.ndim == 2:
        masks = [finished(cv2.cvtColor(mask, cv2.COLOR_GRAY2RGB)) for mask in masks]
    return finished((image & masks[0]) | masks[1])
