"""The OpenID Foundation's basic plan. docs/conformance.md contains the results of this run (RECORD_CONFORMANCE=1 writes it)."""
import os

import pytest

from conformance import MODULES, run
from lab import ROOT

FOUND = {}
WORDS = {"passed": "passed", "refused": "refused as Entra refuses", "not offered": "not offered"}
HEAD = """\
# Conformance

Made by `RECORD_CONFORMANCE=1 Tests/Clients/run test_conformance.py`, which runs the modules of the OpenID Foundation's plan
`oidcc-basic-certification-test-plan` against `ssoterm serve`: ported by name, not the Foundation's own suite. **Refused as Entra
refuses** and **not offered** are failures or skips of that plan; Entra decides here.

| module | result | what was seen |
|---|---|---|
"""


@pytest.mark.parametrize("name", MODULES)
def test_module(lab, name):
    function, result, seen = MODULES[name]
    FOUND[name] = "failed", "see the test"
    run(lab, function)
    FOUND[name] = WORDS[result], seen


def test_the_document_is_what_the_run_found():
    assert len(MODULES) == 38
    if len(FOUND) < len(MODULES):
        pytest.skip("only some modules were run")
    rows = "".join(f"| `{name}` | {result} | {seen} |\n" for name, (result, seen) in FOUND.items())
    counts = [f"{sum(result == word for result, _ in FOUND.values())} {word}" for word in WORDS.values()]
    text = HEAD + rows + f"\n{len(FOUND)} modules: {', '.join(counts)}.\n"
    document = ROOT / "docs/conformance.md"
    if os.environ.get("RECORD_CONFORMANCE"):
        document.write_text(text)
    assert document.read_text() == text, "docs/conformance.md differs: RECORD_CONFORMANCE=1 Tests/Clients/run test_conformance.py"
