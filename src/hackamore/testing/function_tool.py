"""A tool made of a function, for tests that need one with a certain effect."""

from collections.abc import Awaitable, Callable, Sequence

from hackamore.core.changes import FileChange
from hackamore.core.effects import Effect
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch


class FunctionTool:
    """Runs an async function.

    Attributes:
        calls: The arguments of every call, in order.
        changes: What `preview` tells.
    """

    def __init__(
        self,
        name: str,
        run: Callable[[JSONObject], Awaitable[ToolOutput]],
        *,
        effect: Effect = Effect.READ,
        parameters: Sequence[str] = ("path",),
        changes: tuple[FileChange, ...] = (),
    ) -> None:
        self.spec = ToolSpec(
            name=name,
            description=f"The test tool {name}.",
            parameters={
                "type": "object",
                "properties": {parameter: {"type": "string"} for parameter in parameters},
            },
            effect=effect,
            path_parameter="path",
        )
        self.calls: list[JSONObject] = []
        self._run = run
        self.changes = changes

    def touches(self, arguments: JSONObject) -> Touch:
        """Return the path that is named."""
        path = arguments.get("path")
        return Touch((path,) if isinstance(path, str) else ())

    async def run(self, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Run the function."""
        self.calls.append(arguments)
        return await self._run(arguments)

    async def preview(self, arguments: JSONObject) -> tuple[FileChange, ...]:
        """Return the changes that were given."""
        return self.changes
