"""What the SDK asks back while a server works, answered through the hooks."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import mcp_types as types
from mcp.client.context import ClientRequestContext
from mcp.client.session import ElicitationFnT, IncomingMessage, SamplingFnT
from pydantic import FileUrl

from hackamore.core.elicitation import ElicitationRequest, FormRequest, UrlRequest
from hackamore.core.events import ServerLogged
from hackamore.core.json import JSONObject
from hackamore.mcp.hooks import Elicit, Hooks, Sample
from hackamore.mcp.patience import Patience
from hackamore.mcp.visible import visible

_LONGEST_LOG = 4_000


@dataclass(frozen=True, slots=True)
class Callbacks:
    """The callbacks of one server.

    Attributes:
        server: Its name.
        hooks: Whom to ask and tell.
        patience: Stands still while the person is asked.
        changed: Told when the server's lists are no longer what they were.
    """

    server: str
    hooks: Hooks
    patience: Patience
    changed: Callable[[types.ServerNotification], None]

    async def message(self, message: IncomingMessage) -> None:
        """Take a notification, or a fault of the transport."""
        if isinstance(
            message,
            types.ToolListChangedNotification
            | types.PromptListChangedNotification
            | types.ResourceListChangedNotification
            | types.ResourceUpdatedNotification,
        ):
            self.changed(message)

    async def log(self, params: types.LoggingMessageNotificationParams) -> None:
        """Pass on what the server says of its work."""
        text = params.data if isinstance(params.data, str) else str(params.data)
        said = visible(f"{params.logger}: {text}" if params.logger else text)[:_LONGEST_LOG]
        self.hooks.tell(ServerLogged(self.server, params.level, said))

    async def roots(self, context: ClientRequestContext) -> types.ListRootsResult:
        """Tell the workspace's folders, and nothing else."""
        del context
        folders = [Path(folder) for folder in self.hooks.roots]
        return types.ListRootsResult(
            roots=[types.Root(uri=FileUrl(folder.as_uri()), name=folder.name) for folder in folders]
        )

    def elicitation(self, elicit: Elicit) -> ElicitationFnT:
        """Return the callback that asks the person."""

        async def ask(
            context: ClientRequestContext, params: types.ElicitRequestParams
        ) -> types.ElicitResult:
            del context
            with self.patience.asking():
                answer = await elicit(_question(self.server, params))
            values = answer.values if answer.action == "accept" else None
            content = None if values is None else dict(values)
            return types.ElicitResult.model_validate({"action": answer.action, "content": content})

        return ask

    def sampling(self, sample: Sample) -> SamplingFnT:
        """Return the callback that has the run's model answer."""

        async def answer(
            context: ClientRequestContext, params: types.CreateMessageRequestParams
        ) -> types.CreateMessageResult | types.CreateMessageResultWithTools | types.ErrorData:
            del context
            with self.patience.asking():
                return await sample(self.server, params)

        return answer


def _question(server: str, params: types.ElicitRequestParams) -> ElicitationRequest:
    message = visible(params.message)
    if isinstance(params, types.ElicitRequestURLParams):
        return UrlRequest(server, message, params.url)
    return FormRequest(server, message, cast(JSONObject, params.requested_schema))


def progress_words(progress: float, total: float | None, message: str | None) -> str:
    """Return a server's progress in words: ``3/10 reading``."""
    done = f"{progress:g}" if total is None else f"{progress:g}/{total:g}"
    return f"{done} {visible(message)}" if message else done
