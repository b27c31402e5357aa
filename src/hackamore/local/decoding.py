"""Greedy answers over a `Backend`: reuse of what was read, drafts, and branching.

The tokens are what counts here; text is made elsewhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from hackamore.local.choice import Backend, Choice
from hackamore.local.drafts import Drafts
from hackamore.local.guide import Guide

_SLICE: Final = 64


class Overflow(Exception):
    """The prompt leaves no room for an answer."""


@dataclass(slots=True)
class Answer:
    """A prompt and the choices made after it, so that another answer can branch off."""

    prompt: list[int]
    choices: list[Choice] = field(default_factory=list[Choice])


class Decoder:
    """Writes answers; remembers the last one that was asked for.

    How tokens are grouped when they are read changes the logits a little (rounding), enough to
    turn a near tie. So a prompt is always read in slices that begin at multiples of 64: the same
    prompt then gives the same answer, whatever was read before it.

    Attributes:
        cached: Tokens of the last prompt that had not to be read again.
    """

    def __init__(self, backend: Backend, *, drafts: bool = True) -> None:
        self._backend = backend
        self._use_drafts = drafts
        self._held: list[int] = []
        self._in_slices = 0  # Tokens at the start of `_held` that were read in such slices.
        self._last = Answer([])
        self.cached = 0

    def generate(self, prompt: Sequence[int], max_tokens: int) -> Iterator[Choice]:
        """Yield the answer's choices; the last may be an end token.

        Raises:
            Overflow: The prompt fills the context.
            Stopped: On request; the next call works as if this one had not been.
        """
        self._last = Answer(list(prompt))
        tokens = self._last.prompt
        for choice in self._continue(tokens, max_tokens, self._known_in_slices(tokens)):
            self._last.choices.append(choice)
            yield choice

    def branch(self, at: int, max_tokens: int) -> Iterator[Choice]:
        """Yield another end for the last answer: the runner-up at `at`, then greedily.

        Raises:
            IndexError: The last answer has no token `at`.
            Overflow, Stopped: As for `generate`.
        """
        if not 0 <= at < len(self._last.choices):
            raise IndexError(f"the last answer has no token {at}")
        chosen = self._last.choices[at]
        start = [*self._last.prompt, *(choice.token for choice in self._last.choices[:at])]
        yield Choice(chosen.runner_up, chosen.token, 0.0)
        if not self._backend.is_end(chosen.runner_up) and max_tokens > 1:
            tokens = [*start, chosen.runner_up]
            yield from self._continue(tokens, max_tokens - 1, self._known(tokens))

    def guided(self, prompt: Sequence[int], max_tokens: int, guide: Guide) -> Iterator[Choice]:
        """Yield an answer that keeps to a form; it cannot be branched from.

        Raises:
            Overflow, Stopped: As for `generate`.
        """
        self._last = Answer(list(prompt))
        tokens = self._last.prompt
        room = min(max_tokens, self._backend.context - len(tokens))
        if room < 1:
            raise Overflow
        self.cached = self._known_in_slices(tokens)
        self._read(tokens, self.cached)
        held: list[int] = []  # Tokens that may have to be taken back.
        while room > 0 and not guide.over:
            fresh = self._next(guide)[:room]
            if not fresh:
                self._rewind(len(tokens), guide)
                room += len(held)
                held = []
                continue
            room -= len(fresh)
            held += fresh
            if not guide.undecided or room == 0 or self._backend.is_end(fresh[-1]):
                yield from (Choice(token, token, 0.0) for token in held)
                held = []
            if self._backend.is_end(fresh[-1]):
                return
            if room:
                self._append(fresh)
        if guide.over:
            end = self._backend.marker("<|im_end|>")
            yield Choice(end, end, 0.0)

    def _next(self, guide: Guide) -> list[int]:
        """Return the tokens that come next; none when the answer is to begin anew."""
        if text := guide.forced():
            guide.add(text)
            return self._backend.tokenize(text.decode())
        piece, end = self._backend.piece, self._backend.is_end
        token = self._backend.best(lambda one: guide.allows(piece(one), is_end=end(one)))
        if token is None:
            raise LookupError("no token of the model fits the form")
        if end(token):
            return [token]
        return [token] if guide.add(piece(token)) else []

    def _append(self, tokens: Sequence[int]) -> None:
        """Read tokens after those that are held."""
        for start in range(0, len(tokens), _SLICE):
            part = list(tokens[start : start + _SLICE])
            self._backend.evaluate(part, len(self._held), 1)
            self._held += part

    def _rewind(self, length: int, guide: Guide) -> None:
        """Begin the answer anew, as a call."""
        guide.begin_call()
        self._backend.keep(length)
        del self._held[length:]

    @property
    def prompt_tokens(self) -> int:
        """The length of the last prompt."""
        return len(self._last.prompt)

    def _continue(self, tokens: list[int], max_tokens: int, reusable: int) -> Iterator[Choice]:
        """Yield choices after `tokens`, of which the first `reusable` need not be read again."""
        room = min(max_tokens, self._backend.context - len(tokens))
        if room < 1:
            raise Overflow
        self.cached = reusable
        drafts = Drafts(tokens)
        ready = [self._read(tokens, reusable)]
        while room > 0:
            for choice in ready[:room]:
                yield choice
                room -= 1
                if self._backend.is_end(choice.token):
                    return
            if room > 0:
                ready = self._step([choice.token for choice in ready], drafts, room)

    def _known(self, tokens: list[int]) -> int:
        """Return how many tokens are held; the last must be read again for what follows it."""
        return min(_common(self._held, tokens), len(tokens) - 1)

    def _known_in_slices(self, prompt: list[int]) -> int:
        """Return how many tokens of a prompt may stay: whole slices, or an answer that goes on."""
        known = self._known(prompt)
        return known if known > self._in_slices else known // _SLICE * _SLICE

    def _read(self, tokens: list[int], known: int) -> Choice:
        """Make the memory hold `tokens`, and return what follows them."""
        in_slices = known <= self._in_slices and known % _SLICE == 0
        self._backend.keep(known)
        del self._held[known:]
        self._in_slices = min(self._in_slices, known)
        found: list[Choice] = []
        for start in range(known, len(tokens), _SLICE):
            part = tokens[start : start + _SLICE]
            found = self._backend.evaluate(part, start, 1)
            self._held += part
            if in_slices:
                self._in_slices = len(self._held)
        return found[0]

    def _step(self, chosen: list[int], drafts: Drafts, room: int) -> list[Choice]:
        """Read the last chosen token with a draft after it; return the choices that hold."""
        for token in chosen:
            drafts.add(token)
        left = self._backend.context - len(self._held) - 1
        draft = drafts.propose(min(left, room - 1)) if self._use_drafts else []
        position = len(self._held)
        found = self._backend.evaluate([chosen[-1], *draft], position, 1 + len(draft))
        held = _agreeing(found, draft)
        self._held += [chosen[-1], *draft[:held]]
        self._backend.keep(len(self._held))
        return found[: held + 1]


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """Return how many tokens both begin with."""
    for index, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return index
    return min(len(first), len(second))


def _agreeing(choices: Sequence[Choice], draft: Sequence[int]) -> int:
    """Return how many tokens of the draft the model would have chosen itself."""
    return _common([choice.token for choice in choices], draft)
