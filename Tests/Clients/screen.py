"""The program on a separate pty, and the contents of its screen: a VT100 with the functions that ncurses uses."""
import codecs, fcntl, os, pty, re, signal, struct, termios, threading, time

SEQUENCE = re.compile(r"\x1b(?:\[([?\d;]*)([A-Za-z])|[()][A-B0]|([78=>M]))")


class Screen:
    """Reads all the time: the program never waits for its terminal."""

    def __init__(self, arguments, environment, rows=24, columns=80):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.saved = (0, 0)
        self.top, self.bottom = 0, rows - 1
        self.lock, self.changed = threading.Lock(), lambda moment, lines: None
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a new terminal's programs do not inherit what nohup ignores
            words = list(map(str, arguments))
            os.execvpe(words[0], words, {**environment, "TERM": "vt100", "LANG": "C.UTF-8"})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        text, decoder = "", codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            try:
                data = os.read(self.descriptor, 65536)
            except OSError:                  # Linux says so at the end
                data = b""
            if not data:
                return
            moment = time.time()
            with self.lock:
                text = self.take(text + decoder.decode(data))
                lines = self.lines()
            self.changed(moment, lines)

    def take(self, text):
        """Carries out the complete sequences, and returns the start of an incomplete one."""
        at = 0
        while at < len(text):
            sign = text[at]
            if sign == "\x1b":
                found = SEQUENCE.match(text, at)
                if not found and len(text) - at < 16:
                    return text[at:]
                if found:
                    self.obey(found)
                at = found.end() if found else at + 1
                continue
            at += 1
            if sign == "\r":
                self.column = 0
            elif sign == "\n":
                self.down()
            elif sign == "\b":
                self.column = max(0, self.column - 1)
            elif sign == "\t":
                self.column = min(self.columns - 1, self.column // 8 * 8 + 8)
            elif sign >= " ":
                if self.column == self.columns:
                    self.column = 0
                    self.down()
                self.cells[self.row][self.column] = sign
                self.column += 1
        return ""

    def down(self):
        if self.row == self.bottom:
            self.cells.insert(self.bottom + 1, [" "] * self.columns)
            del self.cells[self.top]
        else:
            self.row = min(self.row + 1, self.rows - 1)

    def obey(self, found):
        if found[3] == "7":
            self.saved = self.row, self.column
        if found[3] == "8":
            self.row, self.column = self.saved
        if found[3] == "M":                  # a line up, or scroll down
            if self.row == self.top:
                del self.cells[self.bottom]
                self.cells.insert(self.top, [" "] * self.columns)
            else:
                self.row -= 1
        if not found[2] or "?" in found[1]:
            return
        numbers = [int(number or 0) for number in found[1].split(";")]
        count, column = max(1, numbers[0]), min(self.column, self.columns - 1)
        match found[2]:
            case "H":
                self.row = min(count, self.rows) - 1
                self.column = min(max(1, (numbers + [1])[1]), self.columns) - 1
            case "A":
                self.row = max(0, self.row - count)
            case "B":
                self.row = min(self.rows - 1, self.row + count)
            case "C":
                self.column = min(self.columns - 1, self.column + count)
            case "D":
                self.column = max(0, column - count)
            case "K":
                first, last = {0: (column, self.columns), 1: (0, column + 1)}.get(numbers[0], (0, self.columns))
                self.cells[self.row][first:last] = [" "] * (last - first)
            case "J":
                if numbers[0] == 0:
                    self.cells[self.row][column:] = [" "] * (self.columns - column)
                for row in range(self.row + 1 if numbers[0] == 0 else 0, self.rows):
                    self.cells[row] = [" "] * self.columns
            case "r":
                self.top, self.bottom = count - 1, ((numbers + [0])[1] or self.rows) - 1
                self.row = self.column = 0

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    @property
    def text(self):
        with self.lock:
            return "\n".join(self.lines())

    def wait_for(self, words, seconds=30):
        end = time.monotonic() + seconds
        while words not in self.text:
            assert time.monotonic() < end, f"{words!r} did not come:\n{self.text}"
            time.sleep(.02)

    def press(self, keys):
        os.write(self.descriptor, keys.encode())

    def end(self):
        """The terminal is closed, as a window is."""
        try:
            os.kill(self.process, signal.SIGHUP)
            os.waitpid(self.process, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self.descriptor)
