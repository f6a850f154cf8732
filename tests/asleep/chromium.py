"""A Chromium as it runs on a device. Playwright's believes of each of its tabs that it is in front."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

from serving import PATIENCE

ROOT: Final = Path(__file__).parent.parent.parent
FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
)  # fmt: skip


class Chromium:
    """A browser, spoken to by the DevTools protocol; all its processes are one group."""

    def __init__(self, group: int, line: ClientConnection) -> None:
        self.group = group
        self._line = line
        self._asked = 0

    def send(self, method: str, session: str | None = None, **words: Any) -> dict[str, Any]:
        """The answer to a command, to one of its tabs if named; what it tells unasked is not heard."""
        self._asked += 1
        to = {} if session is None else {"sessionId": session}
        self._line.send(json.dumps({"id": self._asked, "method": method, "params": words, **to}))
        while (said := json.loads(self._line.recv(PATIENCE))).get("id") != self._asked:
            pass
        assert "error" not in said, said
        result: dict[str, Any] = said["result"]
        return result

    def tab(self, url: str, script: str = "", *, apart: bool = True) -> Tab:
        """A tab, `apart` in a window of its own, where it is in front; the script runs before the page's."""
        return Tab(self, url, script, apart=apart)

    @contextmanager
    def stopped(self, kind: str = "") -> Iterator[None]:
        """Its processes stand still, all of them or those of a kind, such as `renderer`."""
        if kind:
            processes = self.send("SystemInfo.getProcessInfo")["processInfo"]
            stopped = [int(one["id"]) for one in processes if one["type"] == kind]
        else:
            stopped = [-self.group]
        assert stopped
        for process in stopped:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in stopped:
                os.kill(process, signal.SIGCONT)


class Tab:
    """A tab of a browser."""

    def __init__(self, chromium: Chromium, url: str, script: str, *, apart: bool) -> None:
        self._chromium = chromium
        self._id = chromium.send("Target.createTarget", url="about:blank", newWindow=apart)["targetId"]
        self._session = chromium.send("Target.attachToTarget", targetId=self._id, flatten=True)["sessionId"]
        self.send("Page.enable")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=script)
        self.send("Page.navigate", url=url)

    def send(self, method: str, **words: Any) -> dict[str, Any]:
        """The answer to a command to this tab."""
        return self._chromium.send(method, self._session, **words)

    def ask(self, script: str) -> Any:
        """What a script says in the page."""
        said = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in said, said
        return said["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until a script says something true."""
        end = time.monotonic() + PATIENCE
        while not (said := self.ask(script)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.1)
        return said

    def front(self) -> None:
        """Bring it to the front of its window."""
        self._chromium.send("Target.activateTarget", targetId=self._id)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Its page is frozen, as a device does that wants to save power."""
        self.send("Page.setWebLifecycleState", state="frozen")
        yield
        self.send("Page.setWebLifecycleState", state="active")


@contextmanager
def started(folder: Path) -> Iterator[Chromium]:
    """A Chromium with a profile of its own."""
    found = ("sh", ROOT / "scripts" / "chromium")
    program = subprocess.run(found, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    said = folder / "said"
    with said.open("w") as errors:
        process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={folder / 'profile'}"],
            stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, start_new_session=True,
        )  # fmt: skip
    try:
        end = time.monotonic() + PATIENCE
        while not (told := re.search(r"listening on (ws://\S+)", said.read_text("utf-8"))):
            assert process.poll() is None, said.read_text("utf-8")
            assert time.monotonic() < end, said.read_text("utf-8")
            time.sleep(0.1)
        # it is not to be asked whether it is still there: for minutes it will not say
        with connect(told[1], ping_interval=None, max_size=None, proxy=None) as line:
            yield Chromium(process.pid, line)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
