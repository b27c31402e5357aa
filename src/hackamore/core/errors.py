"""Exceptions: what a person must mend. What a model should read is a `ToolOutput` instead.

HackamoreError            code, message, hint
├── UsageError            the command or the call was given wrongly
├── ConfigError           a configuration file is wrong: names file, line and key
├── NotAllowed            the policy forbids the task itself
├── SandboxUnavailable    no sandbox of the level asked for
├── WorkspaceError        a path that cannot be read or written, and why
├── EditError             an edit that does not fit its file
├── MCPError              an MCP server's fault; names the server
│   ├── ConnectionLost    it went away in the middle of a call
│   ├── CallTimeout       it took longer than its limit
│   └── ServerUnavailable it cannot be started, reached or logged in to
├── ModelError            the provider's words
│   ├── ModelAuth         no key, or one that is refused; or no model at all
│   ├── ModelUnavailable  a local model that cannot be fetched from anywhere
│   ├── ModelBusy         429, 5xx, a lost connection: worth another try
│   ├── ModelStalled      the stream went silent
│   ├── ContextOverflow   the conversation is longer than the model takes
│   └── ToolsUnsupported  this model has no native tool calls
└── Cancelled             a person stopped it
"""

from typing import ClassVar

from hackamore.core.codes import Code


class HackamoreError(Exception):
    """Something failed; says what and why in `message`, and what to do in `hint`.

    Attributes:
        code: The name that editors and programs decide by.
        message: For people; holds no secret.
        hint: What to do about it; may be empty.
    """

    default_code: ClassVar[Code] = Code.INTERNAL

    def __init__(self, message: str, *, hint: str = "", code: Code | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code or self.default_code

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(HackamoreError):
    """The command or the call was given wrongly."""

    default_code = Code.INVALID_REQUEST


class ConfigError(UsageError):
    """A configuration file is wrong; the message names file, line and key."""


class NotAllowed(HackamoreError):
    """The policy forbids the task itself."""

    default_code = Code.TOOL_NOT_ALLOWED


class SandboxUnavailable(HackamoreError):
    """No sandbox of the level asked for can be had here; the hint says how to get one."""

    default_code = Code.SANDBOX_UNAVAILABLE


class WorkspaceError(HackamoreError):
    """A path cannot be read, listed or written; `code` says which way."""

    default_code = Code.NOT_FOUND


class EditError(HackamoreError):
    """An edit does not fit the text it is for; nothing was changed."""

    default_code = Code.EDIT_NOT_FOUND


class MCPError(HackamoreError):
    """An MCP server failed, or answered with a protocol error."""

    default_code = Code.MCP_SERVER_ERROR


class ConnectionLost(MCPError):
    """The server went away while it worked; whether it did the work is not known."""


class CallTimeout(MCPError):
    """The server took longer than its limit; the message names the setting to change."""

    default_code = Code.MCP_TIMEOUT


class ServerUnavailable(MCPError):
    """The server cannot be started, reached or logged in to; the message says why."""


class ModelError(HackamoreError):
    """The model's provider refused or failed; the message holds its words."""

    default_code = Code.MODEL_ERROR


class ModelAuth(ModelError):
    """There is no key, the key is refused, or there is no such model."""

    default_code = Code.MODEL_AUTH


class ModelUnavailable(ModelError):
    """A model for this machine is not there and cannot be fetched; names each source and why."""

    default_code = Code.MODEL_AUTH


class ModelBusy(ModelError):
    """The provider is overloaded or the connection was lost; another try may work.

    Attributes:
        retry_after: Seconds that the provider asks to wait, or None.
    """

    def __init__(self, message: str, *, hint: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class ModelStalled(ModelError):
    """The stream was silent for longer than the idle timeout."""

    default_code = Code.TIMEOUT


class ContextOverflow(ModelError):
    """The conversation is longer than the model takes."""

    default_code = Code.CONTEXT_OVERFLOW


class ToolsUnsupported(ModelError):
    """The model or its server takes no native tools; a text format still works."""


class Cancelled(HackamoreError):
    """A person stopped it."""

    default_code = Code.CANCELLED
