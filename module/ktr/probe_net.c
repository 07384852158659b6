// SPDX-License-Identifier: GPL-2.0
/* KTR_NET: network devices, and packets. */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <trace/events/napi.h>
#include <trace/events/net.h>
#include <trace/events/skb.h>

#include "../compat.h"
#include "events.h"

static const char *device_name(const struct net_device *dev)
{
	return dev ? dev->name : "none";
}

static void packet(const char *what, const struct sk_buff *skb)
{
	CTR5(KTR_NET, "%s: %s packet %p len %u protocol %#x", device_name(skb->dev), what, skb,
	     skb->len, ntohs(skb->protocol));
}

static void probe_queue(void *data, struct sk_buff *skb)
{
	packet("queues", skb);
}

static void probe_start_xmit(void *data, const struct sk_buff *skb, const struct net_device *dev)
{
	packet("sends", skb);
}

/* The packet may be gone by now. */
static void probe_xmit(void *data, struct sk_buff *skb, int result, struct net_device *dev,
		       unsigned int len)
{
	CTR4(KTR_NET, "%s: sent packet %p len %u, result %d", device_name(dev), skb, len, result);
}

static void probe_timeout(void *data, struct net_device *dev, int queue)
{
	CTR2(KTR_NET, "%s: queue %d does not send", device_name(dev), queue);
}

static void probe_receive(void *data, struct sk_buff *skb)
{
	packet("receives", skb);
}

static void probe_rx(void *data, struct sk_buff *skb)
{
	packet("takes", skb);
}

static void probe_poll(void *data, struct napi_struct *napi, int work, int budget)
{
	CTR3(KTR_NET, "%s: polled, %d of %d packets", device_name(napi->dev), work, budget);
}

#define DROPPED(skb, at, reason) \
	CTR4(KTR_NET, "packet %p len %u dropped at %p, reason %d", skb, (skb)->len, at, reason)

static void probe_free(void *data, struct sk_buff *skb, void *location)
{
	DROPPED(skb, location, -1);
}

/*
 * 5.17 (net: skb: introduce kfree_skb_reason()), and 6.11 (net: add rx_sk to trace_kfree_skb),
 * const in 7.x.
 */
static void probe_drop(void *data, struct sk_buff *skb, void *location, enum skb_drop_reason reason)
{
	DROPPED(skb, location, reason);
}

static void probe_drop_socket(void *data, struct sk_buff *skb, void *location,
			      enum skb_drop_reason reason, struct sock *socket)
{
	DROPPED(skb, location, reason);
}

static void probe_drop_const(void *data, struct sk_buff *skb, void *location,
			     enum skb_drop_reason reason, const struct sock *socket)
{
	DROPPED(skb, location, reason);
}

static struct ktr_event events[] = {
	KTR_TRACEPOINT(KTR_NET, net_dev_queue, probe_queue),
	KTR_TRACEPOINT(KTR_NET, net_dev_start_xmit, probe_start_xmit),
	KTR_TRACEPOINT(KTR_NET, net_dev_xmit, probe_xmit),
	KTR_TRACEPOINT(KTR_NET, net_dev_xmit_timeout, probe_timeout),
	KTR_TRACEPOINT(KTR_NET, netif_receive_skb, probe_receive),
	KTR_TRACEPOINT(KTR_NET, netif_rx, probe_rx),
	KTR_TRACEPOINT(KTR_NET, napi_poll, probe_poll),
	KTR_TRACEPOINT(KTR_NET, kfree_skb, probe_free),
	KTR_TRACEPOINT(KTR_NET, kfree_skb, probe_drop),
	KTR_TRACEPOINT(KTR_NET, kfree_skb, probe_drop_socket),
	KTR_TRACEPOINT(KTR_NET, kfree_skb, probe_drop_const),
};

const struct ktr_events ktr_events_net = { events, ARRAY_SIZE(events) };
