"""The TLS configuration of `ssoterm serve`, as reported by sslyze, which has a separate environment."""
import json, os, subprocess

OLD = ["ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1"]


def test_only_modern_tls_is_spoken(lab, tmp_path):
    report = tmp_path / "tls.json"
    scan = subprocess.run([os.environ["SSLYZE"], "-m", "sslyze", "--quiet", f"--json_out={report}", "--certinfo_ca_file",
                           lab.certificates, f"localhost:{lab.port}"], capture_output=True, text=True, timeout=120)
    # 0: the server has Mozilla's intermediate configuration.
    assert scan.returncode == 0, scan.stdout + scan.stderr
    [server] = json.loads(report.read_text())["server_scan_results"]
    found = server["scan_result"]

    def outcome(command):
        assert found[command]["status"] == "COMPLETED", (command, found[command]["error_trace"])
        return found[command]["result"]

    for version in OLD:
        assert outcome(f"{version}_cipher_suites")["accepted_cipher_suites"] == [], version
    suites = [suite["cipher_suite"]["name"] for suite in outcome("tls_1_2_cipher_suites")["accepted_cipher_suites"]]
    assert suites, "TLS 1.2 is spoken"
    for suite in suites:
        assert "ECDHE" in suite and ("GCM" in suite or "POLY1305" in suite), suite
    assert outcome("tls_1_3_cipher_suites")["accepted_cipher_suites"]
    assert not outcome("heartbleed")["is_vulnerable_to_heartbleed"]
    assert outcome("robot")["robot_result"].startswith("NOT_VULNERABLE")
    assert not outcome("tls_compression")["supports_compression"]
    assert not outcome("session_renegotiation")["is_vulnerable_to_client_renegotiation_dos"]
    assert not outcome("openssl_ccs_injection")["is_vulnerable_to_ccs_injection"]
    [deployment] = outcome("certificate_info")["certificate_deployments"]
    assert any(check["was_validation_successful"] for check in deployment["path_validation_results"]
               if check["trust_store"]["path"] == lab.certificates)
