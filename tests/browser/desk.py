"""The desk page as a referee uses it, for the tests: taps, keys, what it shows and what is stored of it."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import BrowserContext, Locator, Page, Route, WebSocketRoute, expect

from serving import Served

OPEN_PAD: Final = "#pad:not(.closed, .asleep)"
TRIES: Final = 200
AT_ONCE: Final = """([path, bodies]) => Promise.all(bodies.map(body => fetch(path, {method: "POST",
  headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)}).then(one => one.status)))"""
COUNT_TONES: Final = """window.tones = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) {
    tones.push(this.frequency.value);
    return start.call(this, at);
  };"""
"""Keeps the pitch of each tone that a page begins."""
PREFIXES: Final = ("cannon", "casin", "cue", "missed", "red", "spot", "side")
PINS: Final = ("0", "1", "2", "3", "4", "R", "R+1", "R+2", "R+3", "R+4")
HEAD: Final = {
    "A": "Marco Rossi", "B": "Luca Bianchi", "Rules": "UMB-1997", "Distance": "30", "Sets": "3",
    "Clock": "40+20", "Table": "T1", "Referee": "Anna Verdi", "Language": "it",
}  # fmt: skip

ids = map("test-{}".format, itertools.count())


def signed_in(context: BrowserContext, served: Served, name: str = "") -> BrowserContext:
    """The device with the cookie of a director, under localhost and under another name."""
    token = served.director.partition("#")[2]
    answer = context.request.post(
        f"{served.url}/enter", data={"token": token}, headers={"Origin": served.url}
    )
    assert answer.ok, answer.text()
    if name:
        page = context.new_page()
        page.goto(f"{name}/enter#{token}")
        page.wait_for_url(lambda url: "/enter" not in url)
        page.close()
    return context


def asked(context: BrowserContext, url: str, body: object) -> dict[str, Any]:
    """The answer to a command of this device."""
    origin = "/".join(url.split("/")[:3])
    answer = context.request.post(url, data=body, headers={"Origin": origin})
    said: dict[str, Any] = answer.json()
    return {"code": answer.status, **said}


def new_match(context: BrowserContext, url: str, *lines: str, **head: str) -> str:
    """A match with these headers beside the usual ones, and these lines."""
    made = asked(context, f"{url}/matches", {"command_id": next(ids), "head": HEAD | head})
    match = str(made["match"])
    if lines:
        written(context, url, match, *lines)
    return match


def log(context: BrowserContext, url: str, match: str) -> list[str]:
    """All lines of a match, headers included."""
    return [row["line"] for row in context.request.get(f"{url}/matches/{match}/log").json()["lines"]]


def written(context: BrowserContext, url: str, match: str, *lines: str) -> dict[str, Any]:
    """Write lines behind the last one, whoever the desk is."""
    seq = context.request.get(f"{url}/matches/{match}/log").json()["seq"]
    body = {"command_id": next(ids), "expected_seq": seq, "lines": list(lines)}
    return asked(context, f"{url}/matches/{match}/log", body)


class Desk:
    """A desk page. `match` is opened where it exists; else one is made, with `lines` and headers.

    `url` is the server for this test; the page is opened under `name` where that is another one.
    """

    def __init__(
        self, page: Page, url: str, *lines: str, match: str = "", name: str = "", **head: str
    ) -> None:
        self.page = page
        self.url = url
        self.match = match or new_match(page.context, url, *lines, **head)
        self.given = len(self.log())
        page.goto(f"{name or url}/matches/{self.match}/desk")
        self.live()

    def live(self) -> Desk:
        """Wait until the feed has been heard and this device may write, or reads."""
        expect(self.page.locator(".t-link")).to_have_attribute("data-link", "live")
        expect(self.page.locator(".t-devices")).to_have_text(re.compile(r" [1-9]\d*$"))
        return self

    def at(self, place: str) -> Locator:
        """What stands in a place of the page, to be looked at."""
        return self.page.locator(place)

    @property
    def dialog(self) -> Locator:
        """The question that stands before the page."""
        return self.page.get_by_role("dialog")

    def alone(self) -> Desk:
        """Wait until no question stands before the page: a key that is pressed earlier is not the page's."""
        expect(self.at("dialog")).to_have_count(0)
        return self

    def ready(self) -> Desk:
        """Wait until the pad takes a stroke."""
        self.alone()
        expect(self.at(OPEN_PAD)).to_be_visible()
        return self

    def skip(self, seconds: float) -> Desk:
        """Put the clock of a stepped page forward."""
        self.page.clock.fast_forward(round(1000 * seconds))
        return self

    def key(self, name: str) -> Locator:
        """The button of a pin, a prefix or an act."""
        kind = "pins" if name in PINS else "key" if name in PREFIXES else "do"
        return self.page.locator(f"[data-{kind}='{name}']:visible").first

    def tap(self, *keys: str) -> Desk:
        """Touch buttons, one after the other."""
        for key in keys:
            self.key(key).tap()
        return self

    def keypad(self, *keys: str) -> Desk:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def pick(self, *answers: str | re.Pattern[str]) -> Desk:
        """Touch a button in each of the questions that follow one another."""
        for answer in answers:
            self.dialog.get_by_role("button", name=answer).tap()
        return self

    def typed(self, **texts: str) -> Desk:
        """Fill the fields of a question and save it; without texts what is proposed is taken."""
        for name, text in texts.items():
            self.dialog.locator(f"[name='{name}']").fill(text)
        self.dialog.locator("form .go").tap()
        return self

    def held(self, answer: str) -> Desk:
        """Keep a finger on a button that takes no tap."""
        button = self.dialog.get_by_role("button", name=answer)
        button.dispatch_event("pointerdown")
        expect(button).to_be_hidden()
        return self

    def menu(self, *answers: str | re.Pattern[str]) -> Desk:
        """Open the menu and touch an entry, then what its questions ask."""
        return self.alone().tap("menu").pick(*answers)

    def row(self, number: int) -> Desk:
        """Touch a stroke of the list, the newest being 1."""
        self.at(f"#strokes li:nth-child({number}) button").tap()
        return self

    def clock(self, *, running: bool) -> Desk:
        """Wait until the clock runs or stands."""
        expect(self.at("#clock")).to_have_attribute("data-running", str(running).lower())
        return self

    def says(self, words: str | re.Pattern[str]) -> Desk:
        """Wait for words in the line above the pin keys."""
        expect(self.at("#preview")).to_contain_text(words)
        return self

    def strokes(self, *pins: str) -> Desk:
        """Tap strokes of one key each, as fast as the pad lets them."""
        for key in pins:
            self.ready().tap(key)
        return self

    def at_once(self, path: str, bodies: list[dict[str, Any]]) -> list[int]:
        """How the match answers commands that this page sends in one moment."""
        answers: list[int] = self.page.evaluate(AT_ONCE, [f"/matches/{self.match}/{path}", bodies])
        return answers

    def board(self) -> dict[str, Any]:
        """The board as the server has it."""
        board: dict[str, Any] = self.page.context.request.get(f"{self.url}/matches/{self.match}/board").json()
        return board

    def log(self) -> list[str]:
        """The lines below the head, without the words of taking over."""
        lines = log(self.page.context, self.url, self.match)
        return [line for line in lines if not re.match(r"FPN|[A-Z][\w-]*: |#|$", line)]

    def plain(self) -> list[str]:
        """The lines without seconds and times of day."""
        return [re.sub(r" (@|at=)\S+", "", line) for line in self.log()]

    def wrote(self, *lines: str) -> Desk:
        """Wait until these lines, and no others, stand behind those the desk was opened with."""
        for _ in range(TRIES):
            if self.plain()[self.given :] == [*lines]:
                return self
            self.page.wait_for_timeout(50)
        assert self.plain()[self.given :] == [*lines]
        return self

    def shows(self, a: int, b: int) -> Desk:
        """Wait for a score on the screen."""
        expect(self.page.locator("[data-put='A.score']")).to_have_text(str(a))
        expect(self.page.locator("[data-put='B.score']")).to_have_text(str(b))
        return self

    def phase(self, phase: str) -> Desk:
        """Wait for a phase of the match."""
        expect(self.page.locator("body")).to_have_attribute("data-phase", phase)
        return self

    def saved(self) -> Desk:
        """Wait until nothing is left to send; of what was done last, the page must show something already."""
        expect(self.page.locator("#strokes .queued")).to_have_count(0)
        seq = len(log(self.page.context, self.url, self.match))
        expect(self.page.locator(".t-saved")).to_contain_text(re.compile(rf"#{seq}\b"))
        return self


class Travel:
    """A page whose clocks are put forward, and to which its server speaks as if its own had been too."""

    def __init__(self, page: Page, start: str) -> None:
        self.page = page
        self.skew = 0
        self._since: dict[float, float] = {}
        self._answered = False
        self._running = False
        page.clock.install(time=start)
        page.route_web_socket(re.compile("/live"), self._feed)
        page.route("**/clock", self._command)

    def forward(self, seconds: int, limit: int) -> None:
        """Let the clock come to this second of its limit at once."""
        bar = self.page.locator("#clock")
        expect(bar).to_have_attribute("data-left", re.compile("enough|little"))  # drawn for this limit
        left = float(bar.evaluate("bar => bar.style.getPropertyValue('--left')"))
        jump = round(1000 * (seconds + 0.25 - limit * (1 - left)))
        self.page.clock.fast_forward(jump)
        self.skew += jump

    def settled(self, *, running: bool) -> None:
        """Wait until the server's word on the clock is on the page, so that none is under way in a jump."""
        until(self.page, lambda: self._answered and self._running is running)
        self._answered = False

    def _command(self, route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=self._put(answer.json()))
        self._answered = True

    def _feed(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = self._put(json.loads(text))
            route.send(json.dumps(message))
            if message.get("board"):
                self._running = message["board"]["clock"]["running"]

        server.on_message(pass_on)

    def _put(self, message: dict[str, Any]) -> dict[str, Any]:
        if "now" in message:
            message["now"] += self.skew
        clock = message.get("clock") or (message.get("board") or {}).get("clock")
        if clock and clock["running"]:  # what began before a jump does not move with it
            clock["since"] = self._since.setdefault(clock["since"], clock["since"] + self.skew)
        return message


def held_back(page: Page, address: str) -> list[Route]:
    """The first request to an address, which waits until the test lets it go on."""
    held: list[Route] = []
    page.route(address, lambda route: route.continue_() if held else held.append(route))
    return held


def holds(page: Page, script: str) -> None:
    """Wait until a script is true; the pages' policy forbids Playwright's own way to look."""
    until(page, lambda: bool(page.evaluate(script)), script)


def until(page: Page, true: Callable[[], bool], what: str = "it") -> None:
    """Wait for what no locator can see."""
    for _ in range(TRIES):
        if true():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{what} never came true")
