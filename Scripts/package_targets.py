"""The targets of Sources as Package.swift lists them, for the scripts beside this one."""
import json, pathlib, subprocess, tempfile


def read_targets(root):
    """The folder of each target, relative to `root`, and the targets that it lists."""
    # A running build holds the lock of the usual folder.
    with tempfile.TemporaryDirectory() as folder:
        command = ["swift", "package", "--scratch-path", folder, "dump-package"]
        package = json.loads(subprocess.check_output(command, cwd=root))
    targets = {t["name"]: t for t in package["targets"]
               if t["type"] in ("regular", "executable") and not str(t.get("path", "")).startswith("Tests")}
    folders = {name: t.get("path") or f"Sources/{name}" for name, t in targets.items()}
    uses = {name: {next(iter(d.values()))[0] for d in t["dependencies"]} & targets.keys() for name, t in targets.items()}
    return folders, uses
