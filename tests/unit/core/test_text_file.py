"""Text in files: what is not changed comes back as the same bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.codes import Code
from hackamore.core.errors import EditError
from hackamore.core.text_file import NotText, decode, split_lines, with_plain_line_ends

JAPANESE = "# 設定を読み込む\nname = 'テスト'\n"
KOREAN = "# 설정을 읽어 옵니다 그리고\nname = 1\n"
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
        (JAPANESE.encode("cp932"), JAPANESE, "cp932"),
        (b"\x93\xfa\x96\x7b\n", "日本\n", "cp932"),
        (KOREAN.encode("euc-kr"), KOREAN, "euc-kr"),
        (b"it\x92s he\x92s \x93so\x94\n", "it\u2019s he\u2019s \u201cso\u201d\n", "cp1252"),
        (b"it\x92s\n", "it\u2019s\n", "cp1252"),
        (b"caf\xe9 \x81", "caf\u00e9 \x81", "latin-1"),
    ],
)
def test_the_encoding_is_recognised(data: bytes, text: str, encoding: str) -> None:
    file = decode(data)
    assert (file.text, file.encoding, file.encode()) == (text, encoding, data)


@pytest.mark.req("TOOL-03")
@pytest.mark.parametrize(
    "data",
    [
        *(b"\x7fELF\0\0", b"a\0b", b"\x01\x02\x03", b"\xff\xfe\x00\xd8"),
        *("a\n".encode("utf-32"), b"\0\0\xfe\xff\0\0\0a", b"\xef\xbb\xbfa\0"),
    ],
)
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


@pytest.mark.req("TOOL-02")
@given(st.binary(max_size=60), st.binary(max_size=60), st.sampled_from(["new", "", "a\nb"]))
def test_replacing_an_ascii_line_changes_no_other_byte(
    before: bytes, after: bytes, new: str
) -> None:
    try:
        file = decode(before + b"\nMARKED LINE\n" + after)
    except NotText:
        return
    changed = file.with_text(file.text.replace("MARKED LINE", new)).encode()
    wide = file.encoding.startswith("utf-16")
    assert changed == (file.encode() if wide else before + f"\n{new}\n".encode() + after)


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("data", "new", "words"),
    [
        ("é\n".encode("latin-1"), "€ 中\n", "cp1252, which has no '中'"),
        (b"caf\xe9 \x81\n", "日本\n", "latin-1, which has no '日'"),
        (CHINESE.encode("gbk"), "é한\n", "gbk, which has no '한'"),
        (b"a\n", "\ud800", "half a character"),
    ],
)
def test_text_that_the_encoding_lacks_is_refused(data: bytes, new: str, words: str) -> None:
    for change in (decode(data).adopt, decode(data).with_text):
        with pytest.raises(EditError, match=words) as refused:
            change(new)
        assert refused.value.code is Code.INVALID_REQUEST
