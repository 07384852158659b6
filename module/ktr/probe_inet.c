// SPDX-License-Identifier: GPL-2.0
/* KTR_INET, KTR_INET6: sockets of IPv4 and IPv6, and routes. */
#include <linux/icmp.h>
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <net/flow.h>
#include <net/ip6_fib.h>
#include <net/ip_fib.h>
#include <net/sock.h>
#include <net/tcp_states.h>
#include <trace/events/fib.h>
#include <trace/events/fib6.h>
#include <trace/events/sock.h>
#include <trace/events/tcp.h>
#include <trace/events/udp.h>
#ifdef KTR_TP_icmp_send /* not in 5.10 */
#include <trace/events/icmp.h>
#endif

#include "../compat.h"
#include "events.h"

/* An address with its port, in brackets if it is of IPv6. */
struct endpoint {
	char text[sizeof("[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535")];
};

static const char *endpoint4(struct endpoint *e, __be32 address, unsigned int port)
{
	snprintf(e->text, sizeof(e->text), "%pI4:%u", &address, port);
	return e->text;
}

static const char *endpoint6(struct endpoint *e, const struct in6_addr *address, unsigned int port)
{
	snprintf(e->text, sizeof(e->text), "[%pI6c]:%u", address, port);
	return e->text;
}

/* The two ends of a socket. */
struct ends {
	struct endpoint local;
	struct endpoint remote;
};

/* What socket it is, for IPv4 or IPv6; 0: neither.  Nothing is said of those whose class is off. */
static u32 look(struct ends *ends, const struct sock *sk)
{
	unsigned int local = sk->sk_num, remote = ntohs(sk->sk_dport);

	switch (sk->sk_family) {
	case AF_INET:
		if (!KTR_ENABLED(KTR_INET))
			return 0;
		endpoint4(&ends->local, sk->sk_rcv_saddr, local);
		endpoint4(&ends->remote, sk->sk_daddr, remote);
		return KTR_INET;
#if IS_ENABLED(CONFIG_IPV6)
	case AF_INET6:
		if (!KTR_ENABLED(KTR_INET6))
			return 0;
		endpoint6(&ends->local, &sk->sk_v6_rcv_saddr, local);
		endpoint6(&ends->remote, &sk->sk_v6_daddr, remote);
		return KTR_INET6;
#endif
	default:
		return 0;
	}
}

static const char *protocol_name(const struct sock *sk)
{
	switch (sk->sk_protocol) {
	case IPPROTO_TCP:
		return "tcp";
	case IPPROTO_UDP:
		return "udp";
	case IPPROTO_SCTP:
		return "sctp";
	default:
		return "ip";
	}
}

static void happened(const struct sock *sk, const char *what)
{
	struct ends ends;
	u32 class = look(&ends, sk);

	if (class)
		CTR4(class, "%s %s: %s %s", protocol_name(sk), what, ends.local.text,
		     ends.remote.text);
}

static const char *const states[] = {
	[TCP_ESTABLISHED] = "ESTABLISHED",
	[TCP_SYN_SENT] = "SYN_SENT",
	[TCP_SYN_RECV] = "SYN_RECV",
	[TCP_FIN_WAIT1] = "FIN_WAIT1",
	[TCP_FIN_WAIT2] = "FIN_WAIT2",
	[TCP_TIME_WAIT] = "TIME_WAIT",
	[TCP_CLOSE] = "CLOSE",
	[TCP_CLOSE_WAIT] = "CLOSE_WAIT",
	[TCP_LAST_ACK] = "LAST_ACK",
	[TCP_LISTEN] = "LISTEN",
	[TCP_CLOSING] = "CLOSING",
	[TCP_NEW_SYN_RECV] = "NEW_SYN_RECV",
};

static const char *state_name(int state)
{
	return state > 0 && state < (int)ARRAY_SIZE(states) ? states[state] : "?";
}

static void probe_state(void *data, const struct sock *sk, const int old, const int new)
{
	struct ends ends;
	u32 class = look(&ends, sk);

	if (class)
		CTR5(class, "%s state: %s to %s, %s %s", protocol_name(sk), state_name(old),
		     state_name(new), ends.local.text, ends.remote.text);
}

static void probe_retransmit(void *data, const struct sock *sk, const struct sk_buff *skb)
{
	happened(sk, "sends again");
}

/* Since 6.16. */
static void probe_retransmit_result(void *data, const struct sock *sk, const struct sk_buff *skb,
				    int error)
{
	happened(sk, "sends again");
}

/* A reset may be in the name of no socket. */
static void probe_send_reset(void *data, const struct sock *sk, const struct sk_buff *skb)
{
	if (sk)
		happened(sk, "sends reset");
	else
		CTR1(KTR_INET | KTR_INET6, "tcp sends reset: packet %p is for no socket", skb);
}

/* 6.10 (rstreason: make it work in trace world). */
static void probe_send_reset_why(void *data, const struct sock *sk, const struct sk_buff *skb,
				 const enum sk_rst_reason reason)
{
	probe_send_reset(data, sk, skb);
}

static void probe_receive_reset(void *data, struct sock *sk)
{
	happened(sk, "receives reset");
}

static void probe_destroy(void *data, struct sock *sk)
{
	happened(sk, "socket destroyed");
}

/* A segment was received. */
static void probe_segment(void *data, struct sock *sk, struct sk_buff *skb)
{
	struct ends ends;
	u32 class = look(&ends, sk);

	if (class)
		CTR3(class, "tcp receives: segment of %u bytes, %s %s", skb->len, ends.local.text,
		     ends.remote.text);
}

/* 7.x promises not to change it. */
static void probe_segment_const(void *data, struct sock *sk, const struct sk_buff *skb)
{
	probe_segment(data, sk, (struct sk_buff *)skb);
}

static void probe_full(void *data, struct sock *sk, struct sk_buff *skb)
{
	happened(sk, "queue full");
}

static void probe_error(void *data, const struct sock *sk)
{
	struct ends ends;
	u32 class = look(&ends, sk);

	if (class)
		CTR4(class, "%s error: %d, %s %s", protocol_name(sk), sk->sk_err, ends.local.text,
		     ends.remote.text);
}

static void probe_udp_fail(void *data, int error, struct sock *sk)
{
	happened(sk, "cannot queue");
}

/* 6.11 (udp: Add skb to udp_fail_queue_rcv_skb). */
static void probe_udp_fail_packet(void *data, int error, struct sock *sk, struct sk_buff *skb)
{
	happened(sk, "cannot queue");
}

static void probe_icmp(void *data, const struct sk_buff *skb, int type, int code)
{
	struct endpoint from, to;

	CTR4(KTR_INET, "icmp sends: type %d code %d for packet %s %s", type, code,
	     endpoint4(&from, ip_hdr(skb)->saddr, 0), endpoint4(&to, ip_hdr(skb)->daddr, 0));
}

static void probe_route(void *data, u32 table, const struct flowi4 *flow,
			const struct fib_nh_common *hop, int error)
{
	struct endpoint from, to;

	CTR5(KTR_INET, "route: table %u protocol %u, %s %s, result %d", table, flow->flowi4_proto,
	     endpoint4(&from, flow->saddr, ntohs(flow->fl4_sport)),
	     endpoint4(&to, flow->daddr, ntohs(flow->fl4_dport)), error);
}

static void probe_route6(void *data, const struct net *net, const struct fib6_result *result,
			 struct fib6_table *table, const struct flowi6 *flow)
{
	struct endpoint from, to;

	CTR4(KTR_INET6, "route: table %u protocol %u, %s %s", table->tb6_id, flow->flowi6_proto,
	     endpoint6(&to, &flow->daddr, ntohs(flow->fl6_dport)),
	     endpoint6(&from, &flow->saddr, ntohs(flow->fl6_sport)));
}

#define ANY (KTR_INET | KTR_INET6)

static struct ktr_event events[] = {
	KTR_TRACEPOINT(ANY, inet_sock_set_state, probe_state),
	KTR_TRACEPOINT(ANY, tcp_retransmit_skb, probe_retransmit),
	KTR_TRACEPOINT(ANY, tcp_retransmit_skb, probe_retransmit_result),
	KTR_TRACEPOINT(ANY, tcp_send_reset, probe_send_reset),
	KTR_TRACEPOINT(ANY, tcp_send_reset, probe_send_reset_why),
	KTR_TRACEPOINT(ANY, tcp_receive_reset, probe_receive_reset),
	KTR_TRACEPOINT(ANY, tcp_destroy_sock, probe_destroy),
	KTR_TRACEPOINT(ANY, tcp_probe, probe_segment),
	KTR_TRACEPOINT(ANY, tcp_probe, probe_segment_const),
	KTR_TRACEPOINT(ANY, sock_rcvqueue_full, probe_full),
	KTR_TRACEPOINT(ANY, inet_sk_error_report, probe_error),
	KTR_TRACEPOINT(ANY, udp_fail_queue_rcv_skb, probe_udp_fail),
	KTR_TRACEPOINT(ANY, udp_fail_queue_rcv_skb, probe_udp_fail_packet),
	KTR_TRACEPOINT(KTR_INET, icmp_send, probe_icmp),
	KTR_TRACEPOINT(KTR_INET, fib_table_lookup, probe_route),
	KTR_TRACEPOINT(KTR_INET6, fib6_table_lookup, probe_route6),
};

const struct ktr_events ktr_events_inet = { events, ARRAY_SIZE(events) };
