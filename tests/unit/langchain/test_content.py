"""What tools, resources and prompts hold, as LangChain's blocks, blobs and messages."""

from typing import Any, cast

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from hackamore.core.content import (
    Audio,
    BlobResource,
    Content,
    ResourceLink,
    TextResource,
    UnknownContent,
)
from hackamore.core.messages import Image, Message, Text, assistant, user
from hackamore.core.tools import ToolOutput
from hackamore.langchain.content import block, message_content, parts_of, text_of
from hackamore.langchain.prompt_messages import prompt_message, prompt_messages
from hackamore.langchain.resources import blobs

_ALL: list[tuple[Content, dict[str, Any]]] = [
    (Text("cap"), {"type": "text", "text": "cap"}),
    (Image("image/png", b"x"), {"type": "image", "base64": "eA==", "mime_type": "image/png"}),
    (Audio("audio/wav", b"x"), {"type": "audio", "base64": "eA==", "mime_type": "audio/wav"}),
    (
        ResourceLink("https://x/b.pdf", "b", "A book.", "application/pdf"),
        {
            "type": "file",
            "url": "https://x/b.pdf",
            "mime_type": "application/pdf",
            "extras": {"name": "b", "description": "A book."},
        },
    ),
    (TextResource("file:///a.txt", "body"), {"type": "text", "text": "body"}),
    (
        BlobResource("file:///d/c.bin", b"x"),
        {
            "type": "file",
            "base64": "eA==",
            "mime_type": "application/octet-stream",
            "extras": {"filename": "c.bin"},
        },
    ),
]


@pytest.mark.req("LC-04")
@pytest.mark.parametrize(("part", "expected"), _ALL)
def test_each_kind_of_content_is_a_block_that_langchain_knows(
    part: Content, expected: dict[str, Any]
) -> None:
    assert block(part) == expected
    message = ToolMessage([block(part), {"type": "text", "text": "more"}], tool_call_id="c")
    assert message.content_blocks[0] == expected


@pytest.mark.req("LC-04")
def test_what_is_unknown_is_a_readable_note() -> None:
    note = block(UnknownContent({"type": "hologram", "data": "x" * 9000}))
    assert note["type"] == "text"
    assert "hologram" in note["text"]
    assert len(note["text"]) < 2200


@pytest.mark.req("LC-04")
@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (ToolOutput("words"), "words"),
        (ToolOutput(""), ""),
        (ToolOutput("words", content=(Text("words"),)), "words"),
        (ToolOutput("", structured=[{"id": "memo-1"}]), '[{"id": "memo-1"}]'),
        (ToolOutput("", structured={"ü": 1}), '{"ü": 1}'),
        (ToolOutput("", content=(Text(" "),), structured={"n": 1}), '{"n": 1}'),
        (ToolOutput("words", structured={"n": 1}), "words"),
        (ToolOutput("", is_error=True, structured={"n": 1}), '{"n": 1}'),
        (ToolOutput("", is_error=True), "The tool failed and did not say why."),
        (
            ToolOutput("", content=(Image("image/png", b"x"),), structured={"n": 1}),
            [{"type": "text", "text": '{"n": 1}'}, block(Image("image/png", b"x"))],
        ),
        (
            ToolOutput("[image]", content=(Image("image/png", b"x"),)),
            [block(Image("image/png", b"x"))],
        ),
        (
            ToolOutput("ab", content=(Text("a"), Text("b"))),
            [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
        ),
    ],
)
def test_a_result_is_plain_text_where_it_is_one_text(output: ToolOutput, expected: Any) -> None:
    assert message_content(output) == expected


@pytest.mark.req("LC-04")
def test_blocks_come_back_as_content() -> None:
    parts = parts_of([block(part) for part, _ in _ALL] + ["plain", {"type": "json"}, 7])
    assert parts[:4] == (
        Text("cap"),
        Image("image/png", b"x"),
        Audio("audio/wav", b"x"),
        ResourceLink("https://x/b.pdf", "b"),
    )
    assert parts[4:6] == (Text("body"), BlobResource("c.bin", b"x", "application/octet-stream"))
    assert parts[6:8] == (Text("plain"), UnknownContent({"type": "json"}))
    assert text_of(parts).startswith("cap\n[image/png]\n[audio/wav]\n[https://x/b.pdf]\nbody\n")


@pytest.mark.req("LC-04")
def test_blocks_that_are_odd_never_raise() -> None:
    odd: list[Any] = [
        {"type": "image", "base64": "***"},
        {"type": "file", "url": "u", "extras": None},
        {"type": "file", "base64": "eA==", "extras": 3},
        None,
    ]
    assert len(parts_of(odd)) == 4
    assert parts_of(None) == ()


@pytest.mark.req("LC-07")
def test_resources_are_blobs() -> None:
    text, data = blobs(
        [TextResource("docs://a", "body", "text/plain"), BlobResource("docs://b", b"x", None)]
    )
    assert (text.as_string(), text.mimetype) == ("body", "text/plain")
    assert text.metadata == {"uri": "docs://a", "source": "docs://a"}
    assert (data.as_bytes(), data.mimetype, data.source) == (b"x", None, "docs://b")


@pytest.mark.req("LC-07")
def test_prompts_are_messages() -> None:
    shown = prompt_messages(
        [user("Look."), assistant("I see."), Message("user", (Text("at"), Image("i/p", b"x")))]
    )
    assert shown[:2] == [HumanMessage("Look."), AIMessage("I see.")]
    content = cast(Any, shown[2]).content
    assert content == [{"type": "text", "text": "at"}, block(Image("i/p", b"x"))]
    resource = prompt_message("user", [TextResource("docs://a", "body")])
    assert resource == HumanMessage([{"type": "text", "text": "body"}])
