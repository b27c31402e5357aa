"""Text in files: what is not changed comes back as the same bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.text_file import NotText, decode, split_lines, with_plain_line_ends

CHINESE = "中文的注释\n第二行说明。\n"


@pytest.mark.req("TOOL-02")
@given(st.binary(max_size=400))
def test_what_is_text_comes_back_as_the_same_bytes(data: bytes) -> None:
    try:
        file = decode(data)
    except NotText:
        return
    assert file.encode() == data


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        ("héllo".encode(), "héllo", "utf-8"),
        (b"\xef\xbb\xbfa\r\n", "a\r\n", "utf-8"),
        (b"\xff\xfea\x00\n\x00", "a\n", "utf-16-le"),
        (b"\xfe\xff\x00a\x00\n", "a\n", "utf-16-be"),
        (CHINESE.encode("gbk"), CHINESE, "gbk"),
        (b"\xd6\xd0\xce\xd2\x0aa\x0a", "中我\na\n", "gbk"),
        ("na\u00efve caf\u00e9".encode("latin-1"), "na\u00efve caf\u00e9", "cp1252"),
        ("Gr\u00f6\u00dfe".encode("latin-1"), "Gr\u00f6\u00dfe", "cp1252"),
        (b"caf\xe9 \x81", "caf\u00e9 \x81", "latin-1"),
    ],
)
def test_the_encoding_is_recognised(data: bytes, text: str, encoding: str) -> None:
    file = decode(data)
    assert (file.text, file.encoding, file.encode()) == (text, encoding, data)


@pytest.mark.req("TOOL-03")
@pytest.mark.parametrize("data", [b"\x7fELF\0\0", b"a\0b", b"\x01\x02\x03", b"\xff\xfe\x00\xd8"])
def test_bytes_that_are_no_text_are_refused(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        (b"a\r\nb\r\n", "a\nB\n", b"a\r\nB\r\n"),
        (b"a\r\nb\r\n", "a\nB", b"a\r\nB\r\n"),
        (b"a\r\nb", "a\nB", b"a\r\nB"),
        (b"a\nb\n", "a\r\nB\r\n", b"a\nB\n"),
        (b"a\r\nb\nc\r\n", "a\nb\nnew\nc\n", b"a\r\nb\nnew\nc\r\n"),
        (b"a\r\nb\nc\r\n", "x\na\nb\nc\n", b"x\r\na\r\nb\nc\r\n"),
        (b"\xef\xbb\xbfa\n", "b\n", b"\xef\xbb\xbfb\n"),
        (b"", "a\r\nb", b"a\r\nb"),
        (b"a\rb\r", "a\nc\n", b"a\rc\r"),
        (b"a\n", "", b""),
        ("é\n".encode("latin-1"), "ä\n", "ä\n".encode("latin-1")),
        ("é\n".encode("latin-1"), "€ 中\n", "€ 中\n".encode()),
    ],
)
def test_new_content_takes_the_manner_of_the_file(old: bytes, new: str, written: bytes) -> None:
    assert decode(old).adopt(new).encode() == written


@pytest.mark.req("TOOL-02")
@given(st.text("ab\r\n", max_size=30))
def test_lines_join_to_the_text_and_unchanged_content_stays(text: str) -> None:
    assert "".join(split_lines(text)) == text
    file = decode(text.encode())
    assert file.adopt(with_plain_line_ends(text)).text == text
