"""Units that stand beside numbers: how they are written in English and Chinese, and which convert into which.

Only units whose meaning does not depend on the subject are known; a noun that is counted ("150 neurons") is no unit.
Symbols keep their case (``ms`` and ``MS`` differ), words do not.
"""

from __future__ import annotations

import re
from typing import Final

from snellen.readers.pattern import Pattern

# unit -> (dimension, factor to the dimension's first unit). Units of one dimension convert into each other.
_DIMENSIONS: Final[dict[str, dict[str, float]]] = {
    "time": {
        "s": 1, "ms": 1e-3, "μs": 1e-6, "ns": 1e-9, "ps": 1e-12, "min": 60, "h": 3600, "day": 86400, "week": 604800,
        "month": 2629800, "yr": 31557600,
    },
    "length": {"m": 1, "km": 1e3, "cm": 1e-2, "mm": 1e-3, "μm": 1e-6, "nm": 1e-9, "Å": 1e-10, "fm": 1e-15},
    "mass": {"kg": 1, "g": 1e-3, "mg": 1e-6, "μg": 1e-9, "t": 1e3},
    "energy": {
        "J": 1, "kJ": 1e3, "MJ": 1e6, "Wh": 3600, "kWh": 3.6e6, "MWh": 3.6e9, "GWh": 3.6e12, "TWh": 3.6e15,
        "PWh": 3.6e18, "meV": 1.602176634e-22, "eV": 1.602176634e-19, "keV": 1.602176634e-16, "MeV": 1.602176634e-13,
        "GeV": 1.602176634e-10, "TeV": 1.602176634e-7,
    },
    "power": {"W": 1, "mW": 1e-3, "kW": 1e3, "MW": 1e6, "GW": 1e9, "TW": 1e12},
    "frequency": {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "THz": 1e12},
    "pressure": {"Pa": 1, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9},
    "voltage": {"V": 1, "mV": 1e-3, "kV": 1e3},
    "volume": {"L": 1, "mL": 1e-3},
    "bytes": {"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12},
    "share": {"%": 1, "‰": 0.1, "ppm": 1e-4},
    "angle": {"°": 1},
    "temperature": {"K": 1},
    "celsius": {"°C": 1},
    "fahrenheit": {"°F": 1},
    "decibel": {"dB": 1},
    "torque": {"Nm": 1},
    "ratio": {"x": 1},
    # ¥ stands for two currencies; a bare sign is read as CNY and compares with JPY, since the text does not say which.
    "yuan": {"CNY": 1, "JPY": 1},
    "dollar": {"USD": 1}, "euro": {"EUR": 1}, "pound": {"GBP": 1}, "rupee": {"INR": 1}, "won": {"KRW": 1},
    "hkd": {"HKD": 1}, "aud": {"AUD": 1}, "cad": {"CAD": 1},
    # A calendar year and a duration in years are written alike ("year 5", "5 years").
    "year": {"year": 1},
}  # fmt: skip
_PLACE: Final[dict[str, tuple[str, float]]] = {
    unit: (dimension, factor) for dimension, units in _DIMENSIONS.items() for unit, factor in units.items()
}

_SYMBOLS: Final[dict[str, str]] = {
    **{unit: unit for unit in _PLACE if unit not in {"week", "month", "year", "day", "x", "t", "K", "ppm"}},
    "us": "μs", "µs": "μs", "um": "μm", "µm": "μm", "ug": "μg", "µg": "μg", "hr": "h", "hrs": "h", "ml": "mL",
    "℃": "°C", "℉": "°F", "°": "°", "º": "°", "N·m": "Nm", "N m": "Nm", "dollar": "USD", "$": "USD", "€": "EUR",
    "£": "GBP", "¥": "CNY", "₹": "INR", "₩": "KRW", "RMB": "CNY", "pp": "%", "p.p.": "%", "ppm": "ppm", "^\\circ": "°",
    "^{\\circ}": "°",
}  # fmt: skip
_WORDS: Final[dict[str, str]] = {
    "percentage points": "%", "percentage point": "%", "percent points": "%", "percent": "%", "per cent": "%",
    "pct": "%", "pct.": "%", "permille": "‰", "per mille": "‰", "seconds": "s", "second": "s", "secs": "s", "sec": "s",
    "milliseconds": "ms", "millisecond": "ms", "msec": "ms", "microseconds": "μs", "microsecond": "μs",
    "nanoseconds": "ns", "nanosecond": "ns", "minutes": "min", "minute": "min", "mins": "min", "hours": "h",
    "hour": "h", "days": "day", "day": "day", "weeks": "week", "week": "week", "months": "month", "month": "month",
    "years": "yr", "year": "yr", "yrs": "yr", "yr": "yr", "kilometers": "km", "kilometres": "km", "kilometer": "km",
    "kilometre": "km", "meters": "m", "metres": "m", "meter": "m", "metre": "m", "centimeters": "cm",
    "centimetres": "cm", "millimeters": "mm", "millimetres": "mm", "micrometers": "μm", "micrometres": "μm",
    "microns": "μm", "nanometers": "nm", "nanometres": "nm", "kilograms": "kg", "kilogram": "kg", "grams": "g",
    "gram": "g", "tonnes": "t", "tonne": "t", "liters": "L", "litres": "L", "liter": "L", "litre": "L",
    "degrees celsius": "°C", "degree celsius": "°C", "degrees c": "°C", "degrees fahrenheit": "°F", "degrees": "°",
    "degree": "°", "deg": "°", "kelvin": "K", "hertz": "Hz", "volts": "V", "watts": "W", "joules": "J",
    "dollars": "USD", "us dollars": "USD", "u.s. dollars": "USD", "usd": "USD", "euros": "EUR", "euro": "EUR",
    "eur": "EUR",
    "gbp": "GBP", "yuan": "CNY", "renminbi": "CNY", "cny": "CNY", "yen": "JPY", "jpy": "JPY", "times": "x", "fold": "x",
}  # fmt: skip
_CHINESE: Final[dict[str, str]] = {
    "个百分点": "%", "百分点": "%", "毫秒": "ms", "微秒": "μs", "纳秒": "ns", "秒钟": "s", "秒": "s", "分钟": "min",
    "个小时": "h", "小时": "h", "天": "day", "个星期": "week", "星期": "week", "周": "week", "个月": "month",
    "年": "yr", "岁": "yr", "毫米": "mm", "微米": "μm", "纳米": "nm", "厘米": "cm", "千米": "km", "公里": "km",
    "平方米": "m²", "平方公里": "km²", "立方米": "m³", "米": "m", "毫克": "mg", "千克": "kg", "公斤": "kg", "克": "g",
    "吨": "t", "毫升": "mL", "升": "L", "千瓦时": "kWh", "兆瓦时": "MWh", "千瓦": "kW", "兆瓦": "MW", "瓦": "W",
    "千赫": "kHz", "兆赫": "MHz", "赫兹": "Hz", "千帕": "kPa", "帕": "Pa", "伏": "V", "摄氏度": "°C", "华氏度": "°F",
    "度": "°", "美元": "USD", "美金": "USD", "人民币": "CNY", "欧元": "EUR", "英镑": "GBP", "日元": "JPY",
    "港元": "HKD", "港币": "HKD", "元": "CNY", "块钱": "CNY", "倍": "x", "千卡": "kcal",
}  # fmt: skip

CURRENCY_SIGNS: Final[dict[str, str]] = {
    "US$": "USD", "HK$": "HKD", "A$": "AUD", "C$": "CAD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "₹": "INR",
    "₩": "KRW", "USD": "USD", "EUR": "EUR", "GBP": "GBP", "RMB": "CNY", "CNY": "CNY", "JPY": "JPY", "人民币": "CNY",
    "\\$": "USD",
}  # fmt: skip
"""What may stand before an amount, and its unit."""


def _alternatives(names: dict[str, str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_EDGE = r"(?![A-Za-z0-9_\u00b5\u0370-\u03ff])"
_PERCENT = Pattern(r"[ ]{0,2}(?:[%‰]|\\%)")
_CHINESE_UNIT = Pattern(rf"[ ]?(?:{_alternatives(_CHINESE)})")
# The look-ahead keeps "5 m" from being read in "5 m²" or "5 m/s": those are units of their own.
_SYMBOL_UNIT = Pattern(
    rf"(?P<gap>[ ]{{0,2}})(?P<name>{_alternatives(_SYMBOLS)})"
    r"(?P<rest>(?:[²³]|\^[23])?(?:/[A-Za-zμµ]{1,8}[²³]?){0,2}[⁻⁰¹²³⁴-⁹]{0,4})"
)
_WORD_UNIT = Pattern(rf"(?:[ ]{{1,2}}|-|(?<=\d))(?P<name>{_alternatives(_WORDS)}){_EDGE}", re.IGNORECASE)
_KELVIN = Pattern(rf" K{_EDGE}")
_TIMES = Pattern(r"(?:[xX](?![A-Za-z0-9_])|×)(?![ ]{0,2}\(?\d)")
_LETTER = Pattern(r"[A-Za-z\u00b5\u0370-\u03ff]")
_EDGE_RE = Pattern(_EDGE)


def match_unit(text: str, pos: int) -> tuple[str, int] | None:
    """The unit that starts at `pos` (after the number), and where it ends; None where there is none.

    >>> match_unit("5 km long", 1)
    ('km', 4)
    """
    if (found := _PERCENT.match(text, pos)) is not None:
        return ("‰" if found.group().endswith("‰") else "%"), found.end()
    if (found := _CHINESE_UNIT.match(text, pos)) is not None:
        return _CHINESE[found.group().strip()], found.end()
    if (found := _KELVIN.match(text, pos)) is not None:
        return "K", found.end()
    if (found := _TIMES.match(text, pos)) is not None:
        return "x", found.end()
    if (found := _WORD_UNIT.match(text, pos)) is not None:
        return _WORDS[found["name"].lower()], found.end()
    found = _SYMBOL_UNIT.match(text, pos)
    if found is not None:
        ends_open = _LETTER.match(found.group()[-1]) is not None
        if not (ends_open and _EDGE_RE.match(text, found.end()) is None):
            return _SYMBOLS[found["name"]] + found["rest"], found.end()
    return None


def conversion(source: str, target: str) -> float | None:
    """The factor that turns a value in `source` into one in `target`; None where they do not measure the same.

    A missing unit fits every unit (people leave units out), and a year count fits a calendar year.

    >>> conversion("ms", "s")
    0.001
    >>> conversion("s", "km") is None
    True
    """
    if source == target or not source or not target:
        return 1.0
    if {source, target} <= {"year", "yr"}:
        return 1.0
    here, there = _PLACE.get(source), _PLACE.get(target)
    if here is None or there is None or here[0] != there[0]:
        return None
    return here[1] / there[1]
