"""Attempts to keep a client from its response: ten thousand silent connections, and a log without a reader."""
import collections, os, resource, signal, socket, subprocess

import requests

from lab import PROGRAM

CROWD = 10_000


def test_idle_connections_neither_keep_a_client_out_nor_fill_the_memory(labs):
    lab = labs("--approve", "browser")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CROWD + 200
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    crowd = collections.deque()
    try:
        for _ in range(CROWD):
            if len(crowd) > most - 200:      # the system gives no more: the first ones, which were sent away, leave
                crowd.popleft().close()
            crowd.append(socket.create_connection(("127.0.0.1", lab.port), timeout=60))
        answer = requests.get(lab.issuer + "/.well-known/openid-configuration", timeout=60)
        assert answer.status_code == 200
        with open(f"/proc/{lab.server.pid}/status") as status:
            memory = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1024
        assert memory < 400, f"{memory} MiB"
    finally:
        for connection in crowd:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_log_that_is_not_read_stops_nobody(tmp_path):
    arguments = [PROGRAM, "serve", "--port", "0", "--store", str(tmp_path / "store.sqlite"), "--approve", "browser"]
    server = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "XDG_DATA_HOME": str(tmp_path)}, start_new_session=True)
    address = server.stdout.readline().decode().strip()
    with requests.Session() as session:
        session.trust_env, session.verify = False, False
        for _ in range(1500):                # a pipe holds 64 KiB, less than these lines
            assert session.get(f"{address}/nowhere/{'x' * 200}", timeout=10).status_code == 404
    server.send_signal(signal.SIGTERM)
    _, log = server.communicate(timeout=30)
    assert server.returncode == 0 and log.count(b"GET /nowhere") > 100
