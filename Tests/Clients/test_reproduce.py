"""The tests that `ssoterm reproduce --as pytest` writes are red in the lab that fails, and green in the lab with the change;
its page is read without JavaScript, and asks for nothing.
"""
import os, subprocess, sys

import pytest
from playwright.sync_api import sync_playwright

from lab import PROGRAM


def reproduce(folder, text, *options, status=0):
    (folder / "error.txt").write_text(text)
    done = subprocess.run([PROGRAM, "reproduce", "error.txt", *options], cwd=folder, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout


def run(folder, **variables):
    """The exit status and the output of the exported test, which names its own certificates."""
    environment = {**os.environ, "SSOTERM": PROGRAM, **variables}
    for name in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
        environment.pop(name, None)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_repro.py"], cwd=folder,
                          env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def is_red_and_green(folder, text, code):
    """The exported test fails with the code, and passes with the change."""
    text = reproduce(folder, text, "-o", "repro.yaml", "--as", "pytest")
    (folder / "test_repro.py").write_text(text)
    status, output = run(folder)
    assert status == 1 and "1 failed" in output and code in output, output
    status, output = run(folder, SSOTERM_FIXED="1")
    assert status == 0 and "1 passed" in output, output
    return text


# A page refuses, the redemption of the code is refused, the app's refresh token is refused, whose change is another call, and the
# authority is of another tenant, whose change is another authority.
@pytest.mark.parametrize("number", ["50011", "7000218", "50173", "50020"])
def test_an_exported_test_is_red_and_green_with_the_change(tmp_path, number):
    is_red_and_green(tmp_path, f"AADSTS{number}: as it was pasted", f"AADSTS{number}")


# Each grant of a program, with what it sends otherwise.
@pytest.mark.parametrize("text", [
    "msal-browser AADSTS9002326: as it was pasted", "ClientSecretCredential AADSTS7000215: as it was pasted",
    "AcquireTokenByUsernamePassword AADSTS50126: as it was pasted", "az login --use-device-code AADSTS7000218: as it was pasted",
    "AcquireTokenOnBehalfOf AADSTS50013: as it was pasted", "azidentity: AADSTS700082: as it was pasted",
    "Microsoft.AspNetCore.Authentication AADSTS54005: as it was pasted"])
def test_an_exported_test_of_a_program_is_red_and_green_with_the_change(tmp_path, text):
    exported = is_red_and_green(tmp_path, text, next(word for word in text.split() if word.startswith("AADSTS")).rstrip(":"))
    assert "runs the scenario" not in exported


@pytest.mark.parametrize("text, code", [
    ("MSALErrorDomain Code=-50000, MSALInternalErrorCodeKey=-42001", "-42001"),
    ("400 Bad request - Invalid request - Identity not found", "Identity not found")])
def test_what_cannot_be_asked_over_http_is_tested_by_its_scenario(tmp_path, text, code):
    assert "runs the scenario" in is_red_and_green(tmp_path, text, code)


@pytest.mark.parametrize("number", ["50011", "65001"])
def test_the_page_is_read_without_javascript_and_asks_for_nothing(tmp_path, number):
    (tmp_path / "repro.html").write_text(reproduce(tmp_path, f"AADSTS{number}: <img src=x onerror=alert(1)>", "--as", "html"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_context(java_script_enabled=False).new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((tmp_path / "repro.html").as_uri())
        assert page.locator("h2").all_inner_texts() == [
            "What was read", "What was assumed", "What fixes it", "What the lab does", "Sequence", "Steps", "Scenario"]
        assert page.locator("svg").is_visible() and page.locator("img, script").count() == 0
        # The steps can be walked through: each has a link to the next, which opens it.
        page.locator("details").first.locator("summary").click()
        page.locator("#step-1 a").click()
        assert page.locator("#step-2").is_visible() and not page.locator("#step-1").is_visible()
        assert len([url for url in asked if not url.startswith("file:")]) == 0 and len(set(url.split("#")[0] for url in asked)) == 1
