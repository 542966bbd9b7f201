/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/host.h"

#include "scancase.h"

static void psi_cpu(struct span t, struct cells c)
{
	pressure_scan("cpu", t, c);
}

static void psi_memory(struct span t, struct cells c)
{
	pressure_scan("memory", t, c);
}

static void psi_irq(struct span t, struct cells c)
{
	pressure_scan("irq", t, c);
}

static void psi_unknown(struct span t, struct cells c)
{
	pressure_scan("dmem", t, c);
}

static void swappiness(struct span t, struct cells c)
{
	fact_number(t, c, COL(HOST, SWAPPINESS));
}

#define TCP_NAMES                                                       \
	"Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens "          \
	"PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs " \
	"RetransSegs InErrs OutRsts InCsumErrors\n"

static const struct scancase host_cases[] = {
	{ "stat, 6.1", stat_scan,
	    "cpu  10 20 30 40 50 60 70 80 90 100\n"
	    "cpu0 1 2 3 4 5 6 7 8 9 10\n"
	    "cpu3 1 2 3 4 5 6 7 8 9 10\n"
	    "intr 8885917 17 0 0 0 0\n"
	    "ctxt 1990473\n"
	    "btime 1062191376\n"
	    "processes 2915\n"
	    "procs_running 1\n"
	    "procs_blocked 2\n"
	    "softirq 183433 0 21755\n",
	    "cpus=2 cpu_user=10 cpu_nice=20 cpu_system=30 cpu_idle=40 "
	    "cpu_iowait=50 cpu_irq=60 cpu_softirq=70 cpu_steal=80 "
	    "cpu_guest=90 cpu_guest_nice=100 intr=8885917 ctxt=1990473 "
	    "forks=2915 btime=1062191376 procs_running=1 procs_blocked=2" },
	{ "stat, fewer fields", stat_scan, "cpu  1 2 3 4\n",
	    "cpu_user=1 cpu_nice=2 cpu_system=3 cpu_idle=4" },
	{ "stat, garbled", stat_scan,
	    "cpufreq 5\ncpu x\nctxt\nctxt -1\nbtime 99999999999999999999\n"
	    "processes 7 \n", "forks=7" },
	{ "stat, no newline", stat_scan, "ctxt 18446744073709551615",
	    "ctxt=18446744073709551615" },
	{ "meminfo, 3.10", meminfo_scan,
	    "MemTotal:        8046312 kB\n"
	    "MemFree:          123456 kB\n"
	    "Buffers:              1 kB\n"
	    "Active(anon):    1234567 kB\n"
	    "Committed_AS:    3745500 kB\n"
	    "HugePages_Total:      12\n"
	    "Hugepagesize:       2048 kB\n"
	    "DirectMap4k:      100 kB\n",
	    "mem_total=8046312 mem_free=123456 buffers=1 "
	    "active_anon=1234567 committed_as=3745500 huge_total=12 "
	    "huge_size=2048" },
	{ "meminfo, near misses", meminfo_scan,
	    "MemTotalX: 1 kB\nMemTota: 2 kB\nmemtotal: 3 kB\nMemTotal 4\n"
	    ": 5\n\nDirty:\nWriteback: x\n", "" },
	{ "vmstat, 3.10: per zone", vmstat_scan,
	    "pgsteal_kswapd_dma 1\npgsteal_kswapd_dma32 2\n"
	    "pgsteal_kswapd_normal 4\npgsteal_kswapd_movable 8\n"
	    "pgsteal_direct_dma 16\npgsteal_direct_normal 32\n"
	    "pgscan_kswapd_normal 3\npgscan_direct_normal 5\n"
	    "pgscan_direct_throttle 1000\nallocstall 7\n"
	    "workingset_refault 9\n",
	    "pgscan_kswapd=3 pgscan_direct=5 pgsteal=63 allocstall=7 "
	    "refault=9 pgscan_throttled=1000" },
	{ "vmstat, 6.18: two splits", vmstat_scan,
	    "pgsteal_kswapd 1\npgsteal_direct 2\npgsteal_khugepaged 4\n"
	    "pgsteal_proactive 8\npgscan_kswapd 3\npgscan_direct 5\n"
	    "pgscan_khugepaged 100\npgscan_direct_throttle 1000\n"
	    "pgscan_anon 50\npgscan_file 51\npgsteal_anon 7\n"
	    "pgsteal_file 8\nallocstall_dma32 1\nallocstall_normal 2\n"
	    "workingset_refault_anon 3\nworkingset_refault_file 4\n"
	    "pgdemote_kswapd 1\npgdemote_direct 2\npgdemote_khugepaged 4\n"
	    "pgpromote_success 6\npgpromote_candidate 60\noom_kill 2\n"
	    "pswpin 11\npswpout 12\npgfault 13\npgmajfault 14\n"
	    "nr_free_pages 1\nnr_unstable 0\n",
	    "pswpin=11 pswpout=12 pgfault=13 pgmajfault=14 pgscan_kswapd=3 "
	    "pgscan_direct=5 pgsteal=15 allocstall=3 oom_kill=2 refault=7 "
	    "pgpromote=6 pgdemote=7 pgsteal_anon=7 pgsteal_file=8 "
	    "pgscan_throttled=1000" },
	{ "loadavg", loadavg_scan, "0.20 10.18 0.12 1/80 11206\n",
	    "load1=20 load5=1018 load15=12 tasks=80" },
	{ "loadavg, no tasks", loadavg_scan, "0.20 0.18 0.12\n",
	    "load1=20 load5=18 load15=12" },
	{ "loadavg, empty", loadavg_scan, "", "" },
	{ "uptime", uptime_scan, "350735.47 234388.90\n", "uptime=35073547" },
	{ "uptime, garbled", uptime_scan, "up 5\n", "" },
	{ "snmp, 3.10", snmp_scan,
	    TCP_NAMES "Tcp: 1 200 120000 -1 103 2 0 1 4 2671 2265 5 0 2 0\n"
	    "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors "
	    "SndbufErrors\nUdp: 208 1 2 210 3 4\n"
	    "UdpLite: InDatagrams NoPorts\nUdpLite: 99 99\n",
	    "tcp_active_opens=103 tcp_passive_opens=2 tcp_attempt_fails=0 "
	    "tcp_estab_resets=1 tcp_in_segs=2671 tcp_out_segs=2265 "
	    "tcp_retrans_segs=5 tcp_in_errs=0 tcp_out_rsts=2 udp_in=208 "
	    "udp_no_ports=1 udp_in_errors=2 udp_out=210 "
	    "udp_rcvbuf_errors=3 udp_sndbuf_errors=4 tcp_curr_estab=4" },
	{ "snmp, ip", snmp_scan,
	    "Ip: Forwarding DefaultTTL InReceives InHdrErrors ReasmFails "
	    "NewName FragCreates\nIp: 1 64 2880 0 7 8 9\n",
	    "ip_in=2880 ip_in_hdr_errors=0 ip_reasm_fails=7 "
	    "ip_frag_creates=9" },
	{ "snmp, pair does not match", snmp_scan,
	    "Tcp: ActiveOpens\nUdp: 5\nUdp: InDatagrams\n", "" },
	{ "snmp, fewer values than names", snmp_scan,
	    "Udp: InDatagrams NoPorts\nUdp: 5\n", "udp_in=5" },
	{ "netstat", netstat_scan,
	    "TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPTimeouts "
	    "TCPRcvQDrop\nTcpExt: 1 2 3 4 5\n"
	    "IpExt: InNoRoutes ListenDrops\nIpExt: 0 77\n",
	    "tcp_listen_overflows=2 tcp_listen_drops=3 tcp_timeouts=4 "
	    "tcp_rcvq_drop=5 syncookies_sent=1" },
	{ "sockstat", sockstat_scan,
	    "sockets: used 290\n"
	    "TCP: inuse 9 orphan 1 tw 17 alloc 11 mem 3\n"
	    "UDP: inuse 5 mem 2\nUDPLITE: inuse 6\nRAW: inuse 7\n"
	    "FRAG: inuse 8 memory 0\n",
	    "sockets=290 tcp_inuse=9 tcp_orphan=1 tcp_tw=17 tcp_alloc=11 "
	    "udp_inuse=5 raw_inuse=7 frag_inuse=8 tcp_mem=3 udp_mem=2" },
	{ "pressure, cpu 4.20", psi_cpu,
	    "some avg10=0.01 avg60=0.13 avg300=10.11 total=5030633\n",
	    "psi_cpu_some=5030633 psi_cpu_some_avg10=1 psi_cpu_some_avg60=13 "
	    "psi_cpu_some_avg300=1011" },
	{ "pressure, cpu full is a false zero", psi_cpu,
	    "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
	    "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
	    "psi_cpu_some=0 psi_cpu_some_avg10=0 psi_cpu_some_avg60=0 "
	    "psi_cpu_some_avg300=0" },
	{ "pressure, memory", psi_memory,
	    "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n"
	    "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
	    "psi_memory_some=1 psi_memory_some_avg10=0 "
	    "psi_memory_some_avg60=0 psi_memory_some_avg300=0 "
	    "psi_memory_full=0 psi_memory_full_avg10=0 "
	    "psi_memory_full_avg60=0 psi_memory_full_avg300=0" },
	{ "pressure, irq has no some", psi_irq,
	    "some avg10=1.00 avg60=0.00 avg300=0.00 total=1\n"
	    "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n",
	    "psi_irq_full=7 psi_irq_full_avg10=0 psi_irq_full_avg60=0 "
	    "psi_irq_full_avg300=0" },
	{ "pressure, unknown resource", psi_unknown,
	    "some avg10=1.00 avg60=0.00 avg300=0.00 total=1\n", "" },
	{ "pressure, no total", psi_memory,
	    "some avg10=1.00 avg60=0.00 avg300=0.00\n", "" },
	{ "file-nr", file_nr_scan, "1984\t0\t9223372036854775807\n",
	    "files=1984 files_max=9223372036854775807" },
	{ "file-nr, cut", file_nr_scan, "1984\t0", "files=1984" },
	{ "dentry-state", dentry_state_scan,
	    "2095956\t2093948\t45\t0\t1882474\t0\n",
	    "dentries=2095956 dentries_unused=2093948" },
	{ "dentry-state, cut", dentry_state_scan, "7 ", "dentries=7" },
	{ "inode-state", inode_state_scan, "205130\t12\t0\t0\t0\t0\t0\n",
	    "inodes=205130 inodes_free=12" },
	{ "inode-state, no number", inode_state_scan, "-\n", "" },
	{ "pty/nr", pty_nr_scan, "3\n", "ptys=3" },
	{ "fact, negative", swappiness, "-1\n",
	    "swappiness=18446744073709551615" },
	{ "fact, no number", swappiness, "yes\n", "" },
};

static void host_case(void **state)
{
	scancase_run(*state, ENTITY_HOST);
}

static void all_cpus(struct span t, struct cells c)
{
	while (cells_clear(ENTITY_CPU, c), stat_next_cpu(&t, c)) {
		if (t.ptr == t.end)
			return;
	}
}

static const struct scancase cpu_cases[] = {
	{ "last cpu", all_cpus,
	    "cpu  9 9 9 9\ncpu0 1 2\ncpux 3\ncpu12 1 2 3 4 5 6 7 8 9 10\n",
	    "index=12 user=1 nice=2 system=3 idle=4 iowait=5 irq=6 "
	    "softirq=7 steal=8 guest=9 guest_nice=10" },
	{ "no cpu", all_cpus, "cpu  1 2 3\nintr 5\n", "" },
};

static void cpu_case(void **state)
{
	scancase_run(*state, ENTITY_CPU);
}

static void first_disk(struct span t, struct cells c)
{
	struct span name;

	(void)diskstats_next(&t, c, &name); /* sets nothing if there is none */
}

static const struct scancase disk_cases[] = {
	{ "diskstats, 3.10", first_disk,
	    " 259       0 nvme0n1 1434 420 97330 253 5566 3016 101856 6232 "
	    "0 2768 6485\n",
	    "major=259 minor=0 reads=1434 reads_merged=420 read=97330 "
	    "read_time=253 writes=5566 writes_merged=3016 written=101856 "
	    "write_time=6232 in_flight=0 io_time=2768 queue_time=6485" },
	{ "diskstats, 5.5", first_disk,
	    "   8       1 sda1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n",
	    "major=8 minor=1 reads=1 reads_merged=2 read=3 read_time=4 "
	    "writes=5 writes_merged=6 written=7 write_time=8 in_flight=9 "
	    "io_time=10 queue_time=11 discards=12 discards_merged=13 "
	    "discarded=14 discard_time=15 flushes=16 flush_time=17" },
	{ "diskstats, bad lines", first_disk, "x\n8 y sda\n8 0\n8 0 sdb 5\n",
	    "major=8 minor=0 reads=5" },
};

static void disk_case(void **state)
{
	scancase_run(*state, ENTITY_DISK);
}

static void first_net(struct span t, struct cells c)
{
	struct span name;

	(void)net_dev_next(&t, c, &name); /* sets nothing if there is none */
}

static const struct scancase net_cases[] = {
	{ "net/dev", first_net,
	    "Inter-|   Receive                    |  Transmit\n"
	    " face |bytes    packets errs drop fifo frame compressed "
	    "multicast|bytes    packets errs drop fifo colls carrier "
	    "compressed\n"
	    "  eth0:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
	    "rx=1 rx_packets=2 rx_errs=3 rx_drop=4 rx_fifo=5 rx_frame=6 "
	    "rx_compressed=7 rx_multicast=8 tx=9 tx_packets=10 tx_errs=11 "
	    "tx_drop=12 tx_fifo=13 tx_colls=14 tx_carrier=15 "
	    "tx_compressed=16" },
	{ "net/dev, headings only", first_net, "Inter-| x\n face |y\n", "" },
};

static void net_case(void **state)
{
	scancase_run(*state, ENTITY_NET);
}

static void names(void **state)
{
	struct span t, name;
	struct cells c = cells_new(ENTITY_NET);

	(void)state;
	t = span_str("  eth0:0: 5 6\nlo: 7\n : 8\n");
	assert_true(net_dev_next(&t, c, &name));
	assert_true(span_eq(name, "eth0:0"));
	assert_true(net_dev_next(&t, c, &name));
	assert_true(span_eq(name, "lo"));
	assert_false(net_dev_next(&t, c, &name));
	cells_free(c);
	c = cells_new(ENTITY_DISK);
	t = span_str("7 0 loop0 0 0 0\n7 1 loop1 0 0 0 0 1\n1 0 sr0 0\n");
	assert_true(diskstats_next(&t, c, &name));
	assert_true(diskstats_idle_pseudo(name, c));
	assert_true(diskstats_next(&t, c, &name));
	assert_true(span_eq(name, "loop1"));
	assert_false(diskstats_idle_pseudo(name, c));
	cells_clear(ENTITY_DISK, c);
	assert_true(diskstats_next(&t, c, &name));
	assert_false(diskstats_idle_pseudo(name, c));
	cells_free(c);
}

static void fact_texts(void **state)
{
	(void)state;
	assert_true(span_eq(fact_line(span_str(" 6.1.0-18 \t\nx")),
	    "6.1.0-18"));
	assert_true(span_empty(fact_line(span_str(""))));
	assert_true(span_empty(fact_line(span_str("  \n"))));
	assert_true(span_eq(fact_choice(span_str("always [madvise] never")),
	    "madvise"));
	assert_true(span_empty(fact_choice(span_str("always madvise"))));
	assert_true(span_empty(fact_choice(span_str("always [madvise"))));
}

static void last_pid(void **state)
{
	(void)state;
	assert_int_equal(loadavg_last_pid(
	    span_str("0.20 10.18 0.12 1/80 11206\n")), 11206);
	assert_int_equal(loadavg_last_pid(span_str("0.20 0.18 0.12 1/80 ")), 0);
	assert_int_equal(loadavg_last_pid(span_str("0.20 0.18 12")), 0);
	assert_int_equal(loadavg_last_pid(
	    span_str("0.2 0.1 0.1 1/80 99999999999")), 0);
	assert_int_equal(loadavg_last_pid(span_str("")), 0);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, host_case, host_cases);
	CASES_TABLE(&c, cpu_case, cpu_cases);
	CASES_TABLE(&c, disk_case, disk_cases);
	CASES_TABLE(&c, net_case, net_cases);
	cases_add(&c, "names", names, NULL);
	cases_add(&c, "facts", fact_texts, NULL);
	cases_add(&c, "last pid", last_pid, NULL);
	return cases_run(&c, "procfs host");
}
