"""All built-in tools of one session, sharing one memory of what the model has read."""

from hackamore.core.edit import ApplyEdit, PatchLanguage
from hackamore.core.tools import Tool
from hackamore.core.web import Web
from hackamore.core.workspace import Sandbox, Workspace
from hackamore.tools.apply_patch import ApplyPatch
from hackamore.tools.ask_followup_question import AskFollowupQuestion
from hackamore.tools.attempt_completion import AttemptCompletion
from hackamore.tools.changed_file import FileWriter
from hackamore.tools.execute_command import ExecuteCommand
from hackamore.tools.fetch_url import FetchUrl
from hackamore.tools.list_code_definition_names import ListCodeDefinitionNames
from hackamore.tools.list_files import ListFiles
from hackamore.tools.read_file import ReadFile
from hackamore.tools.read_log import ReadLog
from hackamore.tools.replace_in_file import ReplaceInFile
from hackamore.tools.restore_file import RestoreFile
from hackamore.tools.search_files import SearchFiles
from hackamore.tools.update_plan import UpdatePlan
from hackamore.tools.write_to_file import WriteToFile


def builtin_tools(
    workspace: Workspace,
    sandbox: Sandbox,
    web: Web,
    apply_edit: ApplyEdit,
    patches: PatchLanguage,
) -> tuple[Tool, ...]:
    """Return the built-in tools over a workspace, a sandbox and the web."""
    log = ReadLog()
    writer = FileWriter(workspace, log)
    return (
        ReadFile(workspace, log),
        ListFiles(workspace),
        SearchFiles(workspace),
        ListCodeDefinitionNames(workspace, sandbox),
        WriteToFile(writer),
        ReplaceInFile(writer, apply_edit),
        ApplyPatch(writer, patches),
        RestoreFile(writer),
        ExecuteCommand(sandbox),
        FetchUrl(web),
        AskFollowupQuestion(),
        AttemptCompletion(),
        UpdatePlan(),
    )
