"""Ten thousand connections that say nothing, and one client that has something to say."""
import collections, resource, socket

import requests

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
