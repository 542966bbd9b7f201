# SPDX-License-Identifier: Apache-2.0
"""Postmasters and temporary files: of crafted data directories below a
captured tree, and of a real server."""
import os
import shutil
import sys
import tempfile
import time

from agentlib import ALL, APPEARED, BORN, EXITED, Agent, equal, wait_for

SOURCE = os.environ["GPSNAP_SOURCE"]
TREE = SOURCE + "/samples/proc/greenplum6-6.18/tick-00"


def write(path, size):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.truncate(size)


def servers_of(tree):
    """Postmaster pid: its children, of a captured tree."""
    out, parent = {}, {}
    for pid in filter(str.isdigit, os.listdir(tree + "/proc")):
        line = open("%s/proc/%s/cmdline" % (tree, pid), "rb").read()
        stat = open("%s/proc/%s/stat" % (tree, pid)).read()
        parent[int(pid)] = int(stat.rsplit(") ", 1)[1].split()[1])
        if b"/bin/postgres" in line:
            arg = line.split(b"\0")
            out[int(pid)] = (arg[arg.index(b"-D") + 1].decode(),
                             int(arg[arg.index(b"-p") + 1]),
                             [])
    for pid, above in parent.items():
        if above in out:
            out[above][2].append(pid)
    return out


def spill(row):
    return (row.get("spill"), row.get("spill_files"),
            row.get("spill_operator"))


def server_row(a, pid):
    found = [r for r in a.rows("postmaster") if r["pid"] == pid]
    return found[0] if found else None


def test_captured():
    servers = servers_of(TREE)
    (one, other) = sorted(servers)
    with tempfile.TemporaryDirectory() as root, \
            Agent("--root", root) as a:
        shutil.copytree(TREE + "/proc", root + "/proc")
        a.tick()
        # no data directories: what the command line says, nothing else
        for pid, (datadir, port, _) in servers.items():
            row = server_row(a, pid)
            equal((row["datadir"], row["port"], row.opened),
                  (datadir.encode(), port, APPEARED), "server")
            assert "version" not in row and row["shmem"] > 0, row
            assert "titles_off" not in row or row["titles_off"] == 0
        for row in a.rows("process"):
            equal(spill(row), (None, None, None), "unknown")
        assert "spill_orphans" not in a.host and "spill_cut" not in a.host

        datadir, port, below = servers[one]
        data = root + datadir
        mine, theirs = below[0], servers[other][2][0]
        write(data + "/base/1/PG_VERSION", 0)
        open(data + "/PG_VERSION", "w").write("9.4\n")
        open(data + "/postmaster.pid", "w").write(
            "%d\n/real/dir\n1700000000\n6543\n/tmp\n*\n  1 2\n" % one)
        a.tick()
        row = server_row(a, one)
        equal((row["version"], row["port"], row["datadir"]),
              (b"9.4", 6543, b"/real/dir"), "told by the file")
        # a stale file is not believed
        open(data + "/postmaster.pid", "w").write(
            "%d\n/real/dir\n1700000000\n6544\n" % (one + 1))
        a.tick()
        equal(server_row(a, one)["datadir"], datadir.encode(), "stale")
        # nothing there: zero below this server, unknown below the other
        for pid in [one, *below]:
            equal(spill(a.process(pid)), (0, 0, None), "none yet")
        equal(spill(a.process(theirs)), (None, None, None), "other server")
        equal((a.host["spill_orphans"], a.host["spill_cut"]), (0, 0), "host")

        tmp = data + "/base/pgsql_tmp/"
        space = data + "/pg_tblspc/16385/"
        write(tmp + "pgsql_tmp_HashJoin_1_%d.7" % mine, 5000)
        write(tmp + "pgsql_tmp_HashJoin_2_%d.8" % mine, 1)
        write(tmp + "pgsql_tmp_Sort_1_%d.9" % mine, 2000)
        write(space + "GPDB_6_301908232/pgsql_tmp/pgsql_tmp_Sort_%d.1"
              % mine, 300)
        write(space + "PG_9.3_2013/pgsql_tmp/pgsql_tmp%d.1" % mine, 1 << 20)
        write(tmp + "unrelated", 1 << 20)
        os.mkdir(tmp + "pgsql_tmp_HashJoin_1_%d.70" % mine)
        # another server's process, and one that is not there
        write(tmp + "pgsql_tmp%d.0" % theirs, 4097)
        write(tmp + "pgsql_tmp4194000.0", 1023)
        write(tmp + "pgsql_tmp_what", 1)
        a.tick()
        equal(spill(a.process(mine)), (8, 4, b"HashJoin"), "four files")
        equal((a.host["spill_orphans"], a.host["spill_orphan_files"]),
              (6, 3), "orphans")
        # shared sets, one level deep
        write(tmp + "pgsql_tmp%d.0.sharedfileset/i3of8.p0.0" % one, 10240)
        write(tmp + "pgsql_tmp%d.1.fileset/0.0" % one, 1024)
        write(tmp + "pgsql_tmp%d.1.fileset/deeper/0.0" % one, 1024)
        a.tick()
        equal(spill(a.process(one)), (11, 2, b"HashJoin"), "shared")
        # grown, though the directory has not changed
        os.truncate(tmp + "pgsql_tmp_Sort_1_%d.9" % mine, 9000)
        a.tick()
        equal(spill(a.process(mine)), (14, 4, b"Sort"), "grown")
        shutil.rmtree(tmp)
        shutil.rmtree(space)
        a.tick()
        equal(spill(a.process(mine)), (0, 0, None), "removed")
        # more than there is time for
        for i in range(10100):
            write(tmp + "pgsql_tmp%d.%d" % (mine, i), 1)
        a.tick()
        equal(a.host["spill_cut"], 1, "cut")
        assert spill(a.process(mine)) in (
            (0, 0, None), (None, None, None)), "never a part"
        shutil.rmtree(tmp)
        a.tick()
        equal((a.host["spill_cut"], spill(a.process(mine))),
              (0, (0, 0, None)), "all again")
        # the server ends
        shutil.rmtree("%s/proc/%d" % (root, one))
        a.tick()
        equal(server_row(a, one), None, "gone")
        (row,) = a.closed["postmaster"]
        equal((row["pid"], row.why), (one, EXITED), "closed")
        equal(spill(a.process(mine)), (None, None, None), "no server")


def wait_sql(pg, a, pid, test):
    def looked():
        time.sleep(0.1)
        a.tick()
        return a.process(pid) and test(a.process(pid))
    return wait_for(looked, 20)


def test_real(gstest):
    with Agent() as a:
        a.tick()
        with gstest.Postgres(settings=["work_mem=64kB",
                                       "max_parallel_workers=0"]) as pg:
            server = pg.server.pid
            a.tick()
            row = server_row(a, server)
            equal((row["datadir"], row["port"], row.opened),
                  (pg.data.encode(), pg.port, BORN), "server")
            equal(row["version"],
                  open(pg.data + "/PG_VERSION").read().strip().encode(),
                  "version")
            equal(row["start"], a.process(server)["start"], "start")
            assert row["shmem"] >= a.process(server)["rss_shmem"] > 0
            assert "titles_off" not in row, "no client yet"
            child = pg.popen(["psql", "-X", "-q"], stdin=-1, stdout=-1)
            os.set_blocking(child.stdout.fileno(), True)

            def ask(text):
                child.stdin.write(text.encode() + b"\n")
                child.stdin.flush()

            ask("\\t on\nselect pg_backend_pid();")
            pid = int(child.stdout.readline())
            wait_sql(pg, a, pid, lambda r: spill(r) == (0, 0, None))
            # the cursor's sort stays, and its process sleeps
            ask("begin; declare c cursor for select g, repeat(g::text, 9) from "
                "generate_series(1, 200000) g order by 2;"
                "fetch 1 from c; select 'sorted';")
            wait_for(lambda: b"sorted" in child.stdout.readline())
            tmp = pg.data + "/base/pgsql_tmp/"

            def by_hand():
                sizes = [os.path.getsize(tmp + f) for f in os.listdir(tmp)]
                return -(-sum(sizes) // 1024), len(sizes)
            wait_sql(pg, a, pid, lambda r: r["spill"] > 0)
            equal(spill(a.process(pid)), (*by_hand(), b""), "sorted")
            assert a.process(pid)["spill"] > 1000, spill(a.process(pid))
            equal(server_row(a, server)["titles_off"], 0, "titles")
            assert spill(a.process(server)) == (0, 0, None)
            # a quiet process's row changes through its files alone
            read = a.stats["quiet"]
            with open(tmp + "pgsql_tmp%d.99" % pid, "wb") as f:
                f.truncate(1 << 20)
            before = a.process(pid)["spill"]
            a.tick()
            equal(a.process(pid)["spill"], before + 1024, "one more")
            assert read > 0 or a.stats["quiet"] > 0
            # somebody else's
            write(tmp + "pgsql_tmp4194000.0", 3000)
            a.tick()
            assert a.host["spill_orphans"] >= 3, a.host
            assert a.host["spill_orphan_files"] >= 1
            os.unlink(tmp + "pgsql_tmp4194000.0")
            os.unlink(tmp + "pgsql_tmp%d.99" % pid)
            ask("rollback; select 'done';")
            wait_for(lambda: b"done" in child.stdout.readline())
            wait_sql(pg, a, pid, lambda r: spill(r) == (0, 0, None))
            child.stdin.close()
            child.wait()
            child.stdout.close()
        a.tick()
        equal(server_row(a, server), None, "gone")


def test_titles_off(gstest):
    with gstest.Postgres(settings=["update_process_title=off"]) as pg:
        child = pg.popen(["psql", "-X", "-q", "-c", "select pg_sleep(60)"],
                         stdout=-1, stderr=-1)
        with Agent() as a:
            told = []

            def off():
                time.sleep(0.1)
                a.tick()
                told.extend(e.text for e in a.events)
                return server_row(a, pg.server.pid).get("titles_off")
            equal(wait_for(off), 1, "off")
            for _ in range(3):
                a.tick()
                told.extend(e.text for e in a.events)
        mine = [t for t in told if b"port %d:" % pg.port in
                (t if isinstance(t, bytes) else t.encode())]
        equal(len(mine), 1, "told once: %r" % told)
        child.kill()
        child.communicate()


test_captured()
sys.path.insert(0, SOURCE + "/tests/lib")
import gstest  # noqa: E402
test_real(gstest)
test_titles_off(gstest)
