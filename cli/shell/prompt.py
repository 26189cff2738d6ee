"""The prompt of the table: input with completion, a toolbar with the state of all combatants, and its own keys."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle, prompt
from prompt_toolkit.styles import Style

from cli.commands.corrections.preview import NO
from cli.output import render
from cli.session import Session
from cli.shell.questions import Question, is_only_question, question_in
from cli.shell.repl import Repl
from cli.shell.ruling_picker import pick
from cli.shell.toolbar import Toolbar
from mam_events.sanitize import printable

POLL_SECONDS = 0.3
"""Seconds between two looks at whether somebody else has written."""
PICK = "\x00pick"
"""The line that asks for a ruling to be picked; nobody can type it."""
STYLE = Style.from_dict(
    {
        "bottom-toolbar": "noreverse",
        "acting": "bold",
        "down": "strike",
        "open": "underline",
        "no": "italic fg:ansibrightblack",
    }
)


class _Legal(Completer):
    """A completer for legal words; words that are not legal come last, with the reason."""

    def __init__(self, bar: Toolbar) -> None:
        self._bar = bar

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield the words that can continue the line."""
        del complete_event
        text = document.text_before_cursor
        begun = text.rpartition(" ")[2].rpartition(";")[2]
        for one in self._bar.continuations(text):
            why = one.why_not
            yield Completion(
                one.word,
                start_position=-len(begun),
                display=[("class:no" if why else "", one.word)],
                display_meta=f"not now: {why}" if why else one.description,
            )


def run_prompt(session: Session, repl: Repl) -> None:
    """Prompt for lines and answer them until the user leaves."""
    bar = Toolbar(session)
    line_prompt: PromptSession[str] = PromptSession(
        history=_history(),
        completer=_Legal(bar),
        complete_while_typing=False,
        complete_style=CompleteStyle.COLUMN,
        bottom_toolbar=bar.text,
        key_bindings=_keys(repl),
        style=STYLE,
        color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
        reserve_space_for_menu=7,
    )
    repl.confirm, repl.ask = _confirm, _asked
    stop = threading.Event()

    def others() -> None:
        bar.show_others()
        repl.mark_shown(bar.known)

    repl.mark_shown(bar.known)
    watcher = threading.Thread(target=_watch, args=(bar, others, line_prompt, stop), daemon=True)
    watcher.start()
    begun = ""
    try:
        while not repl.over:
            try:
                # Print what others write above the prompt.
                with patch_stdout(raw=True):
                    line = line_prompt.prompt(bar.prompt, default=begun)
            except KeyboardInterrupt:
                begun = ""
                continue
            except EOFError:
                return
            if line == PICK:
                begun = pick(session)
            else:
                repl.answer(line)
                begun = repl.prefill
            bar.look()
    finally:
        stop.set()
        watcher.join(timeout=1)


def _history() -> History:
    """Return the lines of earlier sessions; an empty history in memory if they cannot be stored."""
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    file = Path(home) / "mam-events" / "table-history"
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        return FileHistory(str(file))
    return InMemoryHistory()


def _confirm() -> bool:
    while True:
        try:
            # Keys typed ahead are buffered in prompt_toolkit, where `input` would miss them.
            reply = prompt("Do it? [y/N] ").strip()
        except (EOFError, KeyboardInterrupt):
            return False
        if any(no.startswith(reply.lower()) for no in NO):
            return False
        if "yes".startswith(reply.lower()):
            return True
        render.print_notice(
            f'"{printable(reply)}" is no answer. Type y to do what is shown, or n to leave everything as it is.'
        )


def _asked(question: str) -> str:
    """Return the answer to a question; "" for Enter alone and for leaving."""
    try:
        # prompt_toolkit for the same reason as in `_confirm`.
        return prompt(f"{question} ")
    except (EOFError, KeyboardInterrupt):
        return ""


def _keys(repl: Repl) -> KeyBindings:
    keys = KeyBindings()

    @keys.add("?")
    def _explain(event: KeyPressEvent) -> None:
        """Explain the word before the question mark at once. Enter sends nothing while the mark is there."""
        event.current_buffer.insert_text("?")
        line = event.current_buffer.document.text_before_cursor
        question = question_in(line)
        if question and question.word:
            run_in_terminal(lambda: _at_once(repl, question, line))

    @Condition
    def is_only_question_typed() -> bool:
        document = get_app().current_buffer.document
        return document.is_cursor_at_the_end and is_only_question(document.text)

    @keys.add(Keys.Any, filter=is_only_question_typed)
    def _replace(event: KeyPressEvent) -> None:
        """Replace a line that was only a question with the next input."""
        event.current_buffer.reset()
        event.current_buffer.insert_text(event.data)

    @keys.add("f2")
    def _pick(event: KeyPressEvent) -> None:
        """Leave the prompt to pick a ruling, whose line is then continued."""
        event.app.exit(result=PICK)

    del _explain, _pick, _replace
    return keys


def _at_once(repl: Repl, question: Question, line: str) -> None:
    """Answer a question while its line is typed, without `patch_stdout`, which would show the prompt in between."""
    with redirect_stdout(sys.__stdout__ or sys.stdout), redirect_stderr(sys.__stderr__ or sys.stderr):
        repl.ask_at_once(question, line)


def _watch(bar: Toolbar, others: Callable[[], None], session: PromptSession[str], stop: threading.Event) -> None:
    """Show new rulings of others as soon as they are there."""
    while not stop.wait(POLL_SECONDS):
        with suppress(Exception):
            if bar.has_new_rulings() and session.app.is_running:
                session.app.loop.call_soon_threadsafe(  # type: ignore[union-attr]  # it runs
                    lambda: run_in_terminal(others)
                )
