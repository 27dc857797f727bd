"""The operation `extract`: the main text of a web page, in the child process."""

from __future__ import annotations

from pathlib import Path

import trafilatura
from lxml import html
from trafilatura.metadata import extract_metadata

from tablewright.data.base import WebPage
from tablewright.data.files.dialect import detect_encoding
from tablewright.domain.codec import to_json

MOST_CHARS = 200_000
TITLE_CHARS = 300
_MARKUP = frozenset({".html", ".xhtml"})


def extract(path: Path, *, name: str, url: str) -> bytes:
    """Return the main text of the page at `path`, which was fetched from `url`, as the JSON of a `WebPage`.

    Navigation, advertisements and scripts are left out; what is not markup is returned as it is.
    """
    title, text = _of_markup(path, url) if Path(name).suffix.lower() in _MARKUP else ("", _plain(path))
    page = WebPage(url=url, title=" ".join(title.split())[:TITLE_CHARS], text=text.strip()[:MOST_CHARS])
    return to_json(WebPage, page)


def _of_markup(path: Path, url: str) -> tuple[str, str]:
    content = path.read_bytes()
    found = trafilatura.extract(content, url=url, output_format="markdown", include_links=True, include_comments=False)
    about = extract_metadata(content, default_url=url)
    title = about.title or ""
    return title, found or _all_text(content)


def _all_text(content: bytes) -> str:
    """Return all text of a page that has no main text, without scripts and styles."""
    tree = trafilatura.load_html(content)
    if not isinstance(tree, html.HtmlElement):
        return ""
    for element in tree.xpath("//script | //style | //noscript | //template"):
        element.drop_tree()
    lines = (" ".join(line.split()) for line in tree.text_content().splitlines())
    return "\n".join(line for line in lines if line)


def _plain(path: Path) -> str:
    with path.open(encoding=detect_encoding(path).name, errors="replace") as file:
        return file.read(MOST_CHARS)
