"""Any LangChain chat model as a core `Model`: streamed, with raw calls, and errors we know."""

from collections.abc import AsyncGenerator

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable

from hackamore.core.errors import ModelBusy, ModelError
from hackamore.core.model import (
    Finished,
    FinishReason,
    ModelEvent,
    ModelProfile,
    ModelRequest,
)
from hackamore.langchain.faults import model_error
from hackamore.langchain.messages import to_langchain
from hackamore.langchain.offers import Offers
from hackamore.langchain.pieces import finish_reason, pieces_of


class LangChainModel:
    """A chat model that LangChain speaks to.

    Tool calls are given on as the raw pieces that the provider sent: LangChain's own joining
    completes arguments that were cut off, and such a call must never run.
    """

    def __init__(
        self, model: BaseChatModel, profile: ModelProfile, *, says_why_it_ends: bool = False
    ) -> None:
        """Wrap a chat model.

        Args:
            model: LangChain's model.
            profile: What is known of it.
            says_why_it_ends: Its provider always gives a finish reason, so that an answer without
                one was cut off.
        """
        self._model = model
        self._says_why_it_ends = says_why_it_ends
        self._offers = Offers()
        self.profile = profile

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the answer piece by piece, `Finished` last.

        Raises:
            ModelError: The provider refused or failed; see its subclasses.
        """
        reason: FinishReason = "unknown"
        try:
            async for chunk in self._runnable(request).astream(
                to_langchain(request.messages), stop=list(request.stop) or None
            ):
                for piece in pieces_of(chunk):
                    yield piece
                reason = finish_reason(chunk) or reason
        except ModelError:
            raise
        except Exception as error:  # every SDK has its own classes
            raise model_error(error, self.profile.name) from error
        if reason == "unknown" and self._says_why_it_ends:
            raise ModelBusy(f"{self.profile.name}: the connection ended before the answer did.")
        yield Finished(reason)

    def _runnable(self, request: ModelRequest) -> Runnable[LanguageModelInput, AIMessage]:
        if not request.tools:
            return self._model
        return self._model.bind_tools(self._offers.of(request.tools))
