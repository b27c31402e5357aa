"""The library's faces for LangChain users."""

from typing import TYPE_CHECKING, Literal, TypeAlias

from hackamore.formats.registry import get_format

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

ToolFormatName: TypeAlias = Literal["auto", "native", "xml", "react", "hermes"]


def with_tool_format(
    model: "BaseChatModel", tool_format: ToolFormatName = "auto", *, corrections: int = 2
) -> "BaseChatModel":
    """Return a chat model that can call tools, whatever `model` itself can do.

    The result works where LangChain's models work: `bind_tools`, `invoke`, `stream` and their
    async twins, `with_structured_output`, `create_agent`, LangGraph's `ToolNode`, LCEL.

    Args:
        model: Any LangChain chat model.
        tool_format: ``xml``, ``react`` or ``hermes`` ask for tools in text. ``auto`` uses native
            calls where the model has them, understands a call that comes as text all the same,
            and goes on in ``xml`` when the provider takes no tools. ``native`` changes nothing.
        corrections: How often the model is asked again when none of its calls could be read.

    Raises:
        UsageError: There is no such format.
    """
    from langchain_core.language_models import BaseChatModel

    from hackamore.langchain.tool_format import ToolFormatModel

    chosen = get_format(tool_format)
    if chosen.name == "native":
        return model
    can_bind = type(model).bind_tools is not BaseChatModel.bind_tools
    if chosen.native and not can_bind:
        chosen = get_format("xml")
    fallback = get_format("xml") if chosen.native else None
    return ToolFormatModel(inner=model, format=chosen, fallback=fallback, corrections=corrections)
