"""Images cost what their providers say, by the size that stands in their headers."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.domain.image_header import ImageHeader, image_header
from tablewright.domain.message import ImagePart, Message
from tablewright.models.image_tokens import IMAGE_TOKENS, image_tokens
from tablewright.models.tokens import CalibratedEstimator


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\0" * 40


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0" * 20


def jpeg(width: int, height: int) -> bytes:
    profile = b"\xff\xe2" + struct.pack(">H", 60_002) + b"\xff\xc0" * 30_000
    frame = b"\xff\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\0" * 9
    return b"\xff\xd8" + profile + profile + frame + b"\xff\xda"


def webp(kind: bytes, body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", 100) + b"WEBP" + kind + struct.pack("<I", len(body)) + body


def lossy(width: int, height: int) -> bytes:
    return webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height))


def lossless(width: int, height: int) -> bytes:
    return webp(b"VP8L", b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14))


def extended(width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return webp(b"VP8X", b"\0\0\0\0" + sides)


FORMS = {png: "image/png", gif: "image/gif", jpeg: "image/jpeg", lossy: "image/webp", lossless: "image/webp",
         extended: "image/webp"}  # fmt: skip


@pytest.mark.parametrize(("form", "mime"), FORMS.items())
def test_a_header_says_kind_and_size(form: Callable[[int, int], bytes], mime: str) -> None:
    assert image_header(form(640, 481)) == ImageHeader(mime=mime, width=640, height=481)


BROKEN = (b"", b"GIF89a", b"\xff\xd8\xff", png(0, 5), b"\x89PNG\r\n\x1a\n", b"RIFF0000WEBPVP8X", b"<svg/>",
          b"\xff\xd8" + b"\xff" * 99, b"\xff\xd8\xff\xda\0\0")  # fmt: skip


@pytest.mark.parametrize("content", BROKEN)
def test_what_is_broken_off_or_no_picture_has_no_header(content: bytes) -> None:
    assert image_header(content) is None


@given(st.sampled_from([*FORMS]), st.binary(max_size=40), st.integers(min_value=0, max_value=60))
def test_no_bytes_break_the_reader(form: object, noise: bytes, at: int) -> None:
    content = form(30, 20)  # type: ignore[operator]
    found = image_header(content[:at] + noise)
    assert found is None or (found.width > 0 and found.height > 0)


def part(content: bytes) -> ImagePart:
    return ImagePart(mime="image/png", data_base64=base64.b64encode(content).decode(), origin="output")


@pytest.mark.parametrize(
    ("model", "size", "tokens"),
    [
        ("anthropic:claude-sonnet-4-5", (200, 200), 53),
        ("anthropic:claude-sonnet-4-5", (1_000, 1_000), 1_333),
        ("anthropic:claude-sonnet-4-5", (3_136, 784), 819),
        ("anthropic:claude-sonnet-4-5", (8_000, 8_000), IMAGE_TOKENS),
        ("openai:gpt-4o", (1_024, 1_024), 765),
        ("openai:gpt-4o", (2_048, 4_096), 1_105),
        ("openai:gpt-4o", (100, 100), 255),
        ("mine:gpt-4o-mini", (512, 512), 8_500),
        ("openai:gpt-5", (1_024, 1_024), 630),
        ("openai:o1", (1_024, 1_024), 675),
        ("openai:gpt-4.1-mini", (1_024, 1_024), 1_659),
        ("openai:gpt-5-nano", (1_800, 2_400), 3_572),
        ("openai:o4-mini", (32, 33), 4),
        ("ollama:llava", (300, 250), 100),
    ],
)
def test_each_provider_counts_in_its_way(model: str, size: tuple[int, int], tokens: int) -> None:
    assert image_tokens(part(png(*size)), model) == tokens
    assert image_tokens(part(jpeg(*size)), model) == tokens


def test_low_detail_costs_the_same_whatever_the_size_and_an_unknown_size_the_most() -> None:
    assert image_tokens(part(png(4_000, 4_000)), "openai:gpt-4o", detail="low") == 85
    assert image_tokens(part(b"none"), "openai:gpt-4o", detail="low") == 85
    assert image_tokens(part(b"none"), "openai:gpt-4o") == 85 + 8 * 170
    assert image_tokens(part(b"none"), "anthropic:claude-sonnet-4-5") == IMAGE_TOKENS


@given(
    st.integers(1, 2**31 - 1),
    st.integers(1, 2**31 - 1),
    st.sampled_from(["openai:gpt-4o", "openai:o4-mini", "x:claude"]),
)
def test_no_image_costs_more_than_one_of_unknown_size(width: int, height: int, model: str) -> None:
    assert 1 <= image_tokens(part(png(width, height)), model) <= image_tokens(part(b"none"), model)


def test_a_call_counts_images_by_its_model() -> None:
    message = Message(role="user", parts=(part(png(1_024, 1_024)),))
    counter = CalibratedEstimator()
    one, other = (counter.count([message], model=model).tokens for model in ("openai:gpt-4o", "anthropic:claude"))
    assert other - one == 1_024 * 1_024 // 750 - 765
