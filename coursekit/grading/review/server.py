"""The web around `desk.Desk`: on 127.0.0.1 only, for who holds a link that works once."""

from __future__ import annotations

import hmac
import json
import secrets
from pathlib import Path
from typing import Any

import tornado.escape
import tornado.httpserver
import tornado.netutil
import tornado.web
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from coursekit.grading.gradebook.book import Conflict, Gradebook
from coursekit.grading.records import words
from coursekit.grading.report.pages import markdown
from coursekit.grading.review.desk import Desk

_HERE = Path(__file__).parent
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_MAX_BODY = 1 << 20


class Server:
    """A running review; ``links`` is one address per grader, each good for one browser."""

    def __init__(self, book: Gradebook, graders: list[str], port: int = 0) -> None:
        self.desk = Desk(book)
        sockets = tornado.netutil.bind_sockets(port, "127.0.0.1")
        self.port = sockets[0].getsockname()[1]
        self.tokens = {secrets.token_urlsafe(24): name for name in graders}
        self.sessions: dict[str, str] = {}
        self.templates = Environment(
            loader=PackageLoader("coursekit.grading.review"), undefined=StrictUndefined,
            autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        self.templates.filters["markdown"] = markdown
        self.templates.filters["points"] = lambda value: "–" if value is None else f"{value:g}"
        application = tornado.web.Application(
            [
                ("/", _Page, {"server": self}),
                ("/queue", _Queue, {"server": self}),
                ("/answer", _Answer, {"server": self}),
                ("/judge", _Judge, {"server": self}),
                (
                    "/(review\\.(?:js|css))",
                    _Static,
                    {"path": str(_HERE / "static"), "server": self},
                ),
                (".*", _Nothing, {"server": self}),
            ]
        )
        self.http = tornado.httpserver.HTTPServer(application, max_body_size=_MAX_BODY)
        self.http.add_sockets(sockets)

    @property
    def links(self) -> dict[str, str]:
        """Grader → address."""
        return {n: f"http://127.0.0.1:{self.port}/?token={t}" for t, n in self.tokens.items()}

    @property
    def cookie(self) -> str:
        return f"review-{self.port}"  # browsers share cookies between ports

    def redeem(self, token: str) -> str | None:
        """A session for a token, which then is spent."""
        for known in list(self.tokens):
            if hmac.compare_digest(known.encode(), token.encode()):
                session = secrets.token_urlsafe(24)
                self.sessions[session] = self.tokens.pop(known)
                return session
        return None

    def stop(self) -> None:
        self.http.stop()


class _Guarded:
    """Every answer of the server: known host, known grader, strict headers."""

    def initialize(self, server: Server, **options: Any) -> None:
        self.server = server
        if options:
            super().initialize(**options)

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in _HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        # a page elsewhere that points its own name at 127.0.0.1 sends that name as host
        port = self.server.port
        if self.request.host not in (f"127.0.0.1:{port}", f"localhost:{port}"):
            raise tornado.web.HTTPError(403)
        self.who = self.server.sessions.get(self.get_cookie(self.server.cookie) or "")
        if self.request.method == "POST":
            origin = self.request.headers.get("Origin")
            if origin not in (f"http://127.0.0.1:{port}", f"http://localhost:{port}"):
                raise tornado.web.HTTPError(403)
        if self.who is None and not (self.request.path == "/" and self.get_argument("token", "")):
            raise tornado.web.HTTPError(403)

    def write_error(self, status_code: int, **_: Any) -> None:
        words = {
            403: "이 링크는 이미 쓰였거나 맞지 않습니다. grade review를 다시 실행해 새 링크를 엽니다.",
            404: "없는 것입니다. 쪽을 새로 고칩니다.",
            409: "다른 채점자가 먼저 저장했습니다.",
        }
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(words.get(status_code, "처리하지 못했습니다. 터미널의 메시지를 확인합니다."))

    def log_exception(self, kind, value, trace) -> None:
        if not isinstance(value, tornado.web.HTTPError):
            super().log_exception(kind, value, trace)

    def say(self, data: Any, status: int = 200) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.finish(json.dumps(data, ensure_ascii=False))

    def asked(self) -> tuple[str, str]:
        return self.get_argument("exercise"), self.get_argument("question")


class _Handler(_Guarded, tornado.web.RequestHandler):
    pass


class _Nothing(_Handler):
    def get(self) -> None:
        raise tornado.web.HTTPError(404)


class _Static(_Guarded, tornado.web.StaticFileHandler):
    pass


class _Page(_Handler):
    def get(self) -> None:
        if token := self.get_argument("token", ""):
            if session := self.server.redeem(token):
                # not Strict: the first visit comes from a terminal or a chat window
                self.set_cookie(self.server.cookie, session, httponly=True, samesite="Lax")
            elif self.who is None:
                raise tornado.web.HTTPError(403)
            self.redirect("/")
            return
        exercises = self.server.desk.exercises()
        page = self.server.templates.get_template("page.html")
        self.finish(page.render(exercises=exercises, who=self.who))


class _Queue(_Handler):
    def get(self) -> None:
        self.say(self.server.desk.queue(*self.asked()))


class _Answer(_Handler):
    def get(self) -> None:
        since = int(self.get_argument("since", "0"))
        try:
            found = self.server.desk.answer(
                *self.asked(), self.get_argument("item"), self.who, since
            )
        except KeyError:
            raise tornado.web.HTTPError(404) from None
        page, side = (
            self.server.templates.get_template(name).render(found=found, verdicts=words.PROBE)
            for name in ("answer.html", "side.html")
        )
        self.say({
            "html": page, "side": side, "manual": found["manual"], "digest": found["digest"], "auto": found["auto"],
            "possible": found["about"]["points"], "phrases": found["phrases"], "stale": found["stale"],
            "busy": found["busy"], "news": found["news"], "last": found["last"],
        })  # fmt: skip


class _Judge(_Handler):
    def post(self) -> None:
        try:
            said = json.loads(self.request.body)
            where = (said["exercise"], said["question"])
            saved = self.server.desk.judge(*where, said["item"], self.who, said)
            others = self.server.desk.others(*where, self.who, int(said.get("since", 0)))
        except Conflict as conflict:
            self.say({"current": vars(conflict.current) if conflict.current else None}, 409)
        except (KeyError, TypeError):
            raise tornado.web.HTTPError(404) from None
        except ValueError as error:
            self.say({"message": str(error)}, 400)
        else:
            self.say({"manual": vars(saved), **others})
