// SPDX-License-Identifier: GPL-2.0
/*
 * KTR_VFS: inodes to be written.  KTR_VOP: locks of files.  KTR_BUF: the page
 * cache and buffers.  KTR_GEOM: block requests.
 */
#include <linux/blk-mq.h>
#include <linux/buffer_head.h>
#include <linux/kdev_t.h>
#include <linux/pagemap.h>
#include <linux/writeback.h>
#include <trace/events/block.h>
#include <trace/events/filelock.h>
#include <trace/events/filemap.h>
#include <trace/events/writeback.h>

#include "../compat.h"
#include "events.h"

#define INODE1(mask, inode, format, p1)                                     \
	CTR4(mask, "inode %u:%u %lu: " format, MAJOR((inode)->i_sb->s_dev), \
	     MINOR((inode)->i_sb->s_dev), (inode)->i_ino, p1)
#define INODE2(mask, inode, format, p1, p2)                                 \
	CTR5(mask, "inode %u:%u %lu: " format, MAJOR((inode)->i_sb->s_dev), \
	     MINOR((inode)->i_sb->s_dev), (inode)->i_ino, p1, p2)
#define INODE3(mask, inode, format, p1, p2, p3)                             \
	CTR6(mask, "inode %u:%u %lu: " format, MAJOR((inode)->i_sb->s_dev), \
	     MINOR((inode)->i_sb->s_dev), (inode)->i_ino, p1, p2, p3)

static void probe_mark_dirty(void *data, struct inode *inode, int flags)
{
	INODE1(KTR_VFS, inode, "dirty, flags %#x", flags);
}

static void probe_dirty(void *data, struct inode *inode, int flags)
{
	INODE1(KTR_VFS, inode, "file system knows that it is dirty, flags %#x", flags);
}

static void probe_write_start(void *data, struct inode *inode, struct writeback_control *wbc,
			      unsigned long pages)
{
	INODE1(KTR_VFS, inode, "writeback begins, at most %lu pages", pages);
}

static void probe_write_end(void *data, struct inode *inode, struct writeback_control *wbc,
			    unsigned long pages)
{
	INODE1(KTR_VFS, inode, "writeback ends, %ld pages", pages - wbc->nr_to_write);
}

static const char *lock_type(const struct file_lock *lock)
{
	switch (lock ? ktrace_lock_type(lock) : -1) {
	case F_RDLCK:
		return "read lock";
	case F_WRLCK:
		return "write lock";
	case F_UNLCK:
		return "unlock";
	default:
		return "lock";
	}
}

static void probe_posix_lock(void *data, struct inode *inode, struct file_lock *lock, int ret)
{
	INODE3(KTR_VOP, inode, "fcntl: %s by pid %d, result %d", lock_type(lock), current->tgid,
	       ret);
}

static void probe_flock(void *data, struct inode *inode, struct file_lock *lock, int ret)
{
	INODE3(KTR_VOP, inode, "flock: %s by pid %d, result %d", lock_type(lock), current->tgid,
	       ret);
}

static void cached(const char *what, ktrace_folio *folio, const struct address_space *mapping)
{
	unsigned long first = folio->index, nr = ktrace_folio_nr_pages(folio);

	if (!mapping || !mapping->host)
		return;
	if (nr == 1)
		INODE2(KTR_BUF, mapping->host, "page %lu %s in the cache", first, what);
	else
		INODE3(KTR_BUF, mapping->host, "pages %lu to %lu %s in the cache", first,
		       first + nr - 1, what);
}

static void probe_cache_add(void *data, ktrace_folio *folio)
{
	cached("now", folio, folio->mapping);
}

static void probe_cache_delete(void *data, ktrace_folio *folio)
{
	cached("no more", folio, folio->mapping);
}

static void probe_dirty_folio(void *data, ktrace_folio *folio, struct address_space *mapping)
{
	cached("dirty", folio, mapping);
}

static void buffer(const char *what, const struct buffer_head *bh)
{
	dev_t dev = bh->b_bdev ? bh->b_bdev->bd_dev : 0;

	CTR5(KTR_BUF, "buffer %u:%u: block %ju size %zu %s", MAJOR(dev), MINOR(dev), bh->b_blocknr,
	     bh->b_size, what);
}

static void probe_touch_buffer(void *data, struct buffer_head *bh)
{
	buffer("touched", bh);
}

static void probe_dirty_buffer(void *data, struct buffer_head *bh)
{
	buffer("dirty", bh);
}

/* Their type differs between kernels. */
#define OP(op) ((__force unsigned int)(op))

static const char *op_name(unsigned int op)
{
	switch (op) {
	case OP(REQ_OP_READ):
		return "read";
	case OP(REQ_OP_WRITE):
		return "write";
	case OP(REQ_OP_FLUSH):
		return "flush";
	case OP(REQ_OP_DISCARD):
		return "discard";
	case OP(REQ_OP_SECURE_ERASE):
		return "secure erase";
	case OP(REQ_OP_WRITE_ZEROES):
		return "write zeroes";
	default:
		return "other";
	}
}

static void request(const char *what, const struct request *rq, unsigned int bytes)
{
	struct gendisk *disk = ktrace_request_disk(rq);
	dev_t dev = disk ? disk_devt(disk) : 0;

	CTR6(KTR_GEOM, "request %u:%u: %s sector %ju bytes %u %s", MAJOR(dev), MINOR(dev),
	     op_name(OP(req_op(rq))), blk_rq_pos(rq), bytes, what);
}

static void probe_insert(void *data, struct request *rq)
{
	request("queued", rq, blk_rq_bytes(rq));
}

static void probe_issue(void *data, struct request *rq)
{
	request("issued", rq, blk_rq_bytes(rq));
}

static void probe_requeue(void *data, struct request *rq)
{
	request("queued again", rq, blk_rq_bytes(rq));
}

static void probe_complete(void *data, struct request *rq, blk_status_t error, unsigned int bytes)
{
	request(error ? "failed" : "done", rq, bytes);
}

/* Up to 5.15 an error was an errno. */
static void probe_complete_errno(void *data, struct request *rq, int error, unsigned int bytes)
{
	request(error ? "failed" : "done", rq, bytes);
}

static void probe_bio_queue(void *data, struct bio *bio)
{
	dev_t dev = bio_dev(bio);

	CTR5(KTR_GEOM, "bio %u:%u: %s sector %ju bytes %u", MAJOR(dev), MINOR(dev),
	     op_name(OP(bio_op(bio))), bio->bi_iter.bi_sector, bio->bi_iter.bi_size);
}

/* Up to 5.10. */
static void probe_bio_queue_of(void *data, struct request_queue *queue, struct bio *bio)
{
	probe_bio_queue(data, bio);
}

static struct ktr_event events[] = {
	KTR_TRACEPOINT(KTR_VFS, writeback_mark_inode_dirty, probe_mark_dirty),
	KTR_TRACEPOINT(KTR_VFS, writeback_dirty_inode, probe_dirty),
	KTR_TRACEPOINT(KTR_VFS, writeback_single_inode_start, probe_write_start),
	KTR_TRACEPOINT(KTR_VFS, writeback_single_inode, probe_write_end),
	KTR_TRACEPOINT(KTR_VOP, posix_lock_inode, probe_posix_lock),
	KTR_TRACEPOINT(KTR_VOP, flock_lock_inode, probe_flock),
	KTR_TRACEPOINT(KTR_BUF, mm_filemap_add_to_page_cache, probe_cache_add),
	KTR_TRACEPOINT(KTR_BUF, mm_filemap_delete_from_page_cache, probe_cache_delete),
#ifdef KTR_TP_writeback_dirty_page /* 5.18 renamed it */
	KTR_TRACEPOINT(KTR_BUF, writeback_dirty_page, probe_dirty_folio),
#else
	KTR_TRACEPOINT(KTR_BUF, writeback_dirty_folio, probe_dirty_folio),
#endif
	KTR_TRACEPOINT(KTR_BUF, block_touch_buffer, probe_touch_buffer),
	KTR_TRACEPOINT(KTR_BUF, block_dirty_buffer, probe_dirty_buffer),
	KTR_TRACEPOINT(KTR_GEOM, block_rq_insert, probe_insert),
	KTR_TRACEPOINT(KTR_GEOM, block_rq_issue, probe_issue),
	KTR_TRACEPOINT(KTR_GEOM, block_rq_requeue, probe_requeue),
	KTR_TRACEPOINT(KTR_GEOM, block_rq_complete, probe_complete),
	KTR_TRACEPOINT(KTR_GEOM, block_rq_complete, probe_complete_errno),
	KTR_TRACEPOINT(KTR_GEOM, block_bio_queue, probe_bio_queue),
	KTR_TRACEPOINT(KTR_GEOM, block_bio_queue, probe_bio_queue_of),
};

const struct ktr_events ktr_events_fs = { events, ARRAY_SIZE(events) };
