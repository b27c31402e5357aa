"""The recipes that only answer."""

import pytest

from hackamore.agent.recipes import ask, explain
from hackamore.core.codes import Code
from hackamore.core.events import TextDelta
from hackamore.core.project import ProjectContext
from hackamore.testing.fake_clock import FakeClock
from hackamore.testing.folder_hands import FolderHands
from hackamore.testing.scripted_generator import ScriptedGenerator

pytestmark = [pytest.mark.anyio, pytest.mark.req("AGT-16")]


async def test_a_named_file_is_read_and_explained(
    hands: FolderHands, project: ProjectContext
) -> None:
    generator = ScriptedGenerator(["It adds up prices."])
    result = await explain(hands, generator, project, "shop/prices.py", FakeClock())
    assert result.text == "It adds up prices."
    streamed = [event.text for event in hands.events if isinstance(event, TextDelta)]
    assert "".join(streamed) == result.text
    assert "def total(items)" in generator.prompts[0][1].text
    assert hands.count("write_to_file") == 0


async def test_a_question_finds_the_file_that_defines_its_names(
    hands: FolderHands, project: ProjectContext
) -> None:
    generator = ScriptedGenerator(["Half."])
    result = await ask(hands, generator, project, "What does half return?", FakeClock())
    assert result.status == "success"
    assert "shop/prices.py:" in generator.prompts[0][1].text


async def test_a_question_about_nothing_in_particular_gets_the_readme(
    hands: FolderHands, project: ProjectContext
) -> None:
    generator = ScriptedGenerator(["A shop."])
    await ask(hands, generator, project, "What is this?", FakeClock())
    assert "Adds up prices." in generator.prompts[0][1].text


async def test_denied_reading_ends_it(hands: FolderHands, project: ProjectContext) -> None:
    denying = FolderHands(hands.root, deny={"read_file"})
    result = await ask(denying, ScriptedGenerator(), project, "half", FakeClock())
    assert (result.stop_reason, result.code) == ("denied", Code.APPROVAL_REJECTED)


async def test_an_empty_project_is_said_to_have_nothing(
    project: ProjectContext, tmp_path_factory: pytest.TempPathFactory
) -> None:
    hands = FolderHands(tmp_path_factory.mktemp("empty"))
    result = await explain(hands, ScriptedGenerator(), project, "x", FakeClock())
    assert result.code is Code.NOT_FOUND
