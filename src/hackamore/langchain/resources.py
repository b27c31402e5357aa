"""What an MCP server's resource holds, as LangChain's `Blob`s."""

from collections.abc import Iterable

from langchain_core.documents.base import Blob

from hackamore.core.content import BlobResource, TextResource


def blobs(resources: Iterable[TextResource | BlobResource]) -> list[Blob]:
    """Return each of `resources` as a blob whose metadata names its ``uri``."""
    return [_blob(resource) for resource in resources]


def _blob(resource: TextResource | BlobResource) -> Blob:
    data = resource.text if isinstance(resource, TextResource) else resource.data
    origin = {"uri": resource.uri, "source": resource.uri}
    return Blob(data=data, mimetype=resource.media_type, metadata=origin)
