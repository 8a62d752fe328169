"""TLS of `ssoterm serve`, as sslyze finds it."""
import pathlib

from sslyze import (CertificateInfoExtraArgument, ScanCommand, ScanCommandAttemptStatusEnum, ScanCommandsExtraArguments,
                    Scanner, ServerNetworkLocation, ServerScanRequest)

OLD = [ScanCommand.SSL_2_0_CIPHER_SUITES, ScanCommand.SSL_3_0_CIPHER_SUITES, ScanCommand.TLS_1_0_CIPHER_SUITES,
       ScanCommand.TLS_1_1_CIPHER_SUITES]


def test_only_modern_tls_is_spoken(lab):
    commands = {*OLD, ScanCommand.TLS_1_2_CIPHER_SUITES, ScanCommand.TLS_1_3_CIPHER_SUITES, ScanCommand.CERTIFICATE_INFO,
                ScanCommand.HEARTBLEED, ScanCommand.ROBOT, ScanCommand.TLS_COMPRESSION, ScanCommand.TLS_FALLBACK_SCSV,
                ScanCommand.SESSION_RENEGOTIATION, ScanCommand.OPENSSL_CCS_INJECTION, ScanCommand.ELLIPTIC_CURVES}
    trusted = CertificateInfoExtraArgument(custom_ca_file=pathlib.Path(lab.certificates))
    scanner = Scanner()
    scanner.queue_scans([ServerScanRequest(
        server_location=ServerNetworkLocation("localhost", lab.port, "127.0.0.1"), scan_commands=commands,
        scan_commands_extra_arguments=ScanCommandsExtraArguments(certificate_info=trusted))])
    [result] = scanner.get_results()
    found = result.scan_result
    assert found, result.connectivity_error_trace

    def outcome(command):
        attempt = getattr(found, command.value)
        assert attempt.status == ScanCommandAttemptStatusEnum.COMPLETED, (command, attempt.error_trace)
        return attempt.result

    for command in OLD:
        assert outcome(command).accepted_cipher_suites == [], command
    suites = [suite.cipher_suite for suite in outcome(ScanCommand.TLS_1_2_CIPHER_SUITES).accepted_cipher_suites]
    assert suites, "TLS 1.2 is spoken"
    for suite in suites:
        assert "ECDHE" in suite.name and ("GCM" in suite.name or "POLY1305" in suite.name), suite.name
    assert outcome(ScanCommand.TLS_1_3_CIPHER_SUITES).accepted_cipher_suites
    assert not outcome(ScanCommand.HEARTBLEED).is_vulnerable_to_heartbleed
    assert "NOT_VULNERABLE" in outcome(ScanCommand.ROBOT).robot_result.name
    assert not outcome(ScanCommand.TLS_COMPRESSION).supports_compression
    assert not outcome(ScanCommand.SESSION_RENEGOTIATION).is_vulnerable_to_client_renegotiation_dos
    assert not outcome(ScanCommand.OPENSSL_CCS_INJECTION).is_vulnerable_to_ccs_injection
    [deployment] = outcome(ScanCommand.CERTIFICATE_INFO).certificate_deployments
    assert any(check.was_validation_successful for check in deployment.path_validation_results
               if str(check.trust_store.path) == lab.certificates)
