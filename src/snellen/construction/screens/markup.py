"""The pieces that screens are written in: HTML whose elements say what they are.

A text that differs between the languages is written ``English|中文``; one without a bar is the same in both. Elements
carry ``data-role`` (icon, text, button, image, input) and ``data-said`` (what they say or are for). A part that reacts
to a click as a whole, such as an icon with its label, is a `hit`: it is what an instruction can aim at.
"""

from __future__ import annotations

import html
import re

from snellen.construction.screens.glyphs import art, glyph

_SAID = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


def english(said: str) -> str:
    """The English side of a text.

    >>> english("Camera|相机")
    'Camera'
    """
    return said.split("|")[0]


def said_in(language: str, said: str) -> str:
    """One side of a text.

    >>> said_in("zh", "Camera|相机"), said_in("zh", "12:30")
    ('相机', '12:30')
    """
    sides = said.split("|")
    return sides[-1] if language == "zh" else sides[0]


def in_language(markup: str, language: str) -> str:
    """HTML in which every text is there in one language."""
    return _SAID.sub(lambda match: html.escape(said_in(language, html.unescape(match[1]))), markup)


def _both(said: str) -> str:
    return f"{{{{{html.escape(said)}}}}}"


def _leaf(role: str, said: str, cls: str, inner: str, style: str = "") -> str:
    styled = f' style="{style}"' if style else ""
    key = html.escape(english(said))
    return (
        f'<div class="{role} {cls}"{styled} data-role="{role}" data-key="{key}" data-said="{_both(said)}">{inner}</div>'
    )


def div(cls: str, *inner: str, style: str = "") -> str:
    """A part that is no element by itself."""
    styled = f' style="{style}"' if style else ""
    return f'<div class="{cls}"{styled}>{"".join(inner)}</div>'


def text(said: str, cls: str = "", shown: str = "", style: str = "") -> str:
    """A text; `shown` where it says less than it means."""
    return _leaf("text", said, cls, f"<span>{_both(shown or said)}</span>", style)


def icon(name: str, said: str, cls: str = "", style: str = "") -> str:
    """A glyph; `said` is what it is for."""
    return _leaf("icon", said, cls, glyph(name), style)


def button(said: str, name: str = "", shown: str = "", cls: str = "", style: str = "") -> str:
    """A button that can be seen as such, with a glyph or not."""
    return _leaf("button", said, cls, (glyph(name) if name else "") + f"<span>{_both(shown or said)}</span>", style)


def toggle(said: str, on: bool) -> str:
    """A switch."""
    return _leaf("button", said, f"toggle {'on' if on else 'off'}", "<i></i>")


def tick(said: str, on: bool) -> str:
    """A box to tick."""
    return _leaf("button", said, f"tick {'on' if on else 'off'}", glyph("check") if on else "")


def field(said: str, name: str = "", shown: str = "", cls: str = "", style: str = "") -> str:
    """A field to write into, with a glyph or not."""
    return _leaf("input", said, cls, (glyph(name) if name else "") + f"<span>{_both(shown or said)}</span>", style)


def picture(said: str, name: str, cls: str = "", inner: str = "", style: str = "") -> str:
    """A picture, with what is drawn over it."""
    return _leaf("image", said, cls, art(name) + inner, style)


def hit(said: str, *inner: str, cls: str = "", style: str = "") -> str:
    """A part that reacts to a click as a whole."""
    styled = f' style="{style}"' if style else ""
    key = html.escape(english(said))
    return f'<div class="hit {cls}"{styled} data-hit="{key}" data-said="{_both(said)}">{"".join(inner)}</div>'


def link(said: str, cls: str = "", name: str = "", shown: str = "") -> str:
    """A text to click, with a glyph before it or not."""
    return hit(said, icon(name, said) if name else "", text(said, shown=shown), cls=cls)


# What many screens have


def phone(clock: str, *inner: str) -> str:
    """A phone's screen below its line of status."""
    status = div(
        "status row",
        text(f"Time {clock}|时间 {clock}", "strong", shown=clock),
        div("grow"),
        icon("signal", "Mobile reception|移动信号"),
        icon("wifi", "Wireless reception|无线信号"),
        icon("battery", "Battery level|电池电量"),
    )
    return status + div("screen", *inner)


def tabs(chosen: str, *of: tuple[str, str]) -> str:
    """The bar at the foot of a phone's screen: (glyph, text) of each tab."""
    return div("tabs", *(hit(s, icon(g, s), text(s, "tiny"), cls="accent" if s == chosen else "soft") for g, s in of))


def browser(address: str, *inner: str) -> str:
    """A page in the window of a browser."""
    bar = div(
        "bar row",
        icon("back", "Previous page|上一页"),
        icon("forward", "Next page|下一页"),
        icon("reload", "Reload this page|重新加载本页"),
        field("Address|网址", "lock", shown=address, cls="grow small"),
        icon("more", "Browser menu|浏览器菜单"),
    )
    return bar + div("screen", *inner)


def window(title: str, name: str, *inner: str) -> str:
    """A desktop's window, with the bar that it is moved by."""
    bar = div(
        "bar row",
        icon(name, "Application icon|应用程序图标", "accent"),
        text(title, "small strong"),
        div("grow"),
        icon("minimise", "Minimise window|最小化窗口"),
        icon("maximise", "Maximise window|最大化窗口"),
        icon("close", "Close window|关闭窗口"),
    )
    return bar + div("screen", *inner)
