"""A program on a real terminal, operated through tmux: it sends keys and reads the screen."""
import itertools, os, re, shlex, subprocess, time

NUMBERS = itertools.count()


class Tmux:
    def __init__(self, arguments, environment, columns=100, rows=30):
        # A socket of its own: a server that is about to end would refuse.
        self.socket = f"ssoterm-clients-{os.getpid()}-{next(NUMBERS)}"
        wanted = [f"{name}={environment[name]}" for name in ("SSOTERM_STORE", "SSOTERM_ASSETS") if name in environment]
        command = shlex.join(["env", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", *wanted, *map(str, arguments)])
        # What follows it keeps its last screen.
        self.do("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows,
                f"{command}; echo ended with $?; exec cat")

    def do(self, *arguments):
        return subprocess.run(["tmux", "-L", self.socket, *map(str, arguments)], check=True, capture_output=True,
                              text=True).stdout

    @property
    def screen(self):
        return self.do("capture-pane", "-p")

    def see(self, pattern, seconds=60):
        """The match, once the screen has it."""
        until = time.monotonic() + seconds
        while not (found := re.search(pattern, self.screen)):
            assert time.monotonic() < until, f"/{pattern}/ did not appear. The screen:\n{self.screen}"
            time.sleep(.05)
        return found

    def press(self, *keys):
        self.do("send-keys", *keys)

    def state(self, name):
        """What tmux knows of the terminal: `alternate_on`."""
        return self.do("display-message", "-p", "#{" + name + "}").strip()

    def end(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)
