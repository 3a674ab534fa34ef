"""Typer's own words, in Korean."""

from __future__ import annotations

import typer.core
from typer import rich_utils

rich_utils.ARGUMENTS_PANEL_TITLE = "인자"
rich_utils.OPTIONS_PANEL_TITLE = "옵션"
rich_utils.COMMANDS_PANEL_TITLE = "명령"
rich_utils.REQUIRED_LONG_STRING = "[필수]"
rich_utils.DEFAULT_STRING = "[기본값: {}]"


class _Help:
    def get_help_option(self, context):
        option = super().get_help_option(context)
        if option is not None:
            option.help = "이 설명을 보여 주고 끝냅니다."
        return option


class Command(_Help, typer.core.TyperCommand):
    """A verb whose help is Korean throughout."""


class Group(_Help, typer.core.TyperGroup):
    """The verbs together."""
