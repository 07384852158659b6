// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "decode/out.h"

#define MAX_HEADERS (1 << 20)

/* Cores in other formats, by how they begin. */
static const struct {
	const char *magic;
	const char *what;
} foreign[] = {
	{ "KDUMP   ", "a compressed kdump file: save it with makedumpfile -E, as ELF" },
	{ "DISKDUMP", "a compressed kdump file: save it with makedumpfile -E, as ELF" },
	{ "makedumpfile",
	  "flattened by makedumpfile -F: let makedumpfile -R put it in order first" },
	{ "\xd2\xbe\xd2\xbe", "a core of VMware: convert it with vmss2core" },
	{ "QEVM", "a saved machine of QEMU: use its dump-guest-memory" },
	{ "\x1f\x8b", "compressed: use gunzip first" },
	{ "\3757zXZ", "compressed: use unxz first" },
	{ "\x28\xb5\x2f\xfd", "compressed: use unzstd first" },
	{ "KTRstrm\n", "a file of ktr's events: give it to -i" },
};

static bool read_at(const struct image *image, uint64_t offset, void *p, size_t len)
{
	char *to = p;

	while (len) {
		ssize_t n;

		if (offset > INT64_MAX)
			return false;
		n = pread(image->fd, to, len, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		to += n;
		offset += n;
		len -= n;
	}
	return true;
}

static void check_header(const struct image *image, Elf64_Ehdr *header)
{
	size_t i;

	memset(header, 0, sizeof(*header));
	if (pread(image->fd, header, sizeof(*header), 0) < 0)
		die("%s: %s", image->path, strerror(errno));
	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (memcmp(header, foreign[i].magic, strlen(foreign[i].magic)) == 0)
			die("%s: this is %s", image->path, foreign[i].what);
	if (memcmp(header, ELFMAG, SELFMAG) != 0)
		die("%s: not an ELF core", image->path);
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
		die("%s: of a machine that is not 64-bit little-endian: ktr does not run there",
		    image->path);
	if (header->e_type != ET_CORE)
		die("%s: an ELF file, but no core; a vmlinux is for -N", image->path);
	if (header->e_phentsize != sizeof(Elf64_Phdr))
		die("%s: its ELF header is damaged", image->path);
}

/* Large machines have more than the header has room for. */
static size_t headers_count(const struct image *image, const Elf64_Ehdr *header)
{
	Elf64_Shdr section;

	if (header->e_phnum != PN_XNUM)
		return header->e_phnum;
	if (!read_at(image, header->e_shoff, &section, sizeof(section)) ||
	    section.sh_info > MAX_HEADERS)
		die("%s: its ELF header is damaged", image->path);
	return section.sh_info;
}

static int compare(const void *a, const void *b)
{
	const struct image_part *x = a, *y = b;

	return x->phys < y->phys ? -1 : x->phys > y->phys;
}

/*
 * In order, and each byte once: /proc/kcore has the kernel's text again. Returns how many
 * are left.
 */
static size_t put_in_order(struct image_part *parts, size_t count)
{
	size_t i, kept = 0;
	uint64_t end = 0;

	qsort(parts, count, sizeof(*parts), compare);
	for (i = 0; i < count; i++) {
		struct image_part part = parts[i];
		uint64_t twice = part.phys < end ? end - part.phys : 0;

		if (twice >= part.len)
			continue;
		part.phys += twice;
		part.offset += twice;
		part.len -= twice;
		end = part.phys + part.len;
		parts[kept++] = part;
	}
	return kept;
}

static void take_part(struct image *image, const Elf64_Phdr *header)
{
	uint64_t end, file_len = header->p_filesz;

	/* /proc/kcore: -1 is memory that has no fixed place. */
	if (header->p_type != PT_LOAD || header->p_paddr == UINT64_MAX)
		return;
	if (__builtin_add_overflow(header->p_paddr, header->p_memsz, &end) ||
	    __builtin_add_overflow(header->p_paddr, file_len, &end) ||
	    __builtin_add_overflow(header->p_offset, file_len, &end))
		return;
	if (file_len)
		image->parts[image->count++] =
			(struct image_part){ header->p_paddr, file_len, header->p_offset };
	/* makedumpfile ends a part where zeros begin. */
	if (header->p_memsz > file_len)
		image->zeros[image->zeros_count++] = (struct image_part){
			.phys = header->p_paddr + file_len,
			.len = header->p_memsz - file_len,
		};
}

static void read_headers(struct image *image, const Elf64_Ehdr *header)
{
	size_t count = headers_count(image, header), i;

	image->parts = calloc(count + 1, sizeof(*image->parts));
	image->zeros = calloc(count + 1, sizeof(*image->zeros));
	if (!image->parts || !image->zeros)
		die("out of memory");
	for (i = 0; i < count; i++) {
		Elf64_Phdr one;

		if (!read_at(image, header->e_phoff + i * sizeof(one), &one, sizeof(one)))
			die("%s: it is cut short: its program headers are missing", image->path);
		take_part(image, &one);
	}
	image->count = put_in_order(image->parts, image->count);
	image->zeros_count = put_in_order(image->zeros, image->zeros_count);
	if (!image->count)
		die("%s: there is no memory in it", image->path);
}

/* What is behind the end of a file of @size bytes is not there. */
static void add_up(struct image *image, uint64_t size)
{
	size_t i;

	image->total = 0;
	for (i = 0; i < image->count; i++) {
		struct image_part *part = &image->parts[i];

		if (part->offset >= size)
			part->len = 0;
		else if (part->len > size - part->offset)
			part->len = size - part->offset;
		image->total += part->len;
	}
}

void image_open(struct image *image, const char *path)
{
	struct statfs fs;
	struct stat st;
	Elf64_Ehdr header;

	*image = (struct image){ .path = path };
	image->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (image->fd < 0 || fstat(image->fd, &st) || fstatfs(image->fd, &fs))
		die("%s: %s", path, strerror(errno));
	image->is_live = fs.f_type == PROC_SUPER_MAGIC;
	check_header(image, &header);
	read_headers(image, &header);
	add_up(image, S_ISREG(st.st_mode) && !image->is_live ? (uint64_t)st.st_size : UINT64_MAX);
}

void image_close(struct image *image)
{
	close(image->fd);
	free(image->parts);
	free(image->zeros);
	*image = (struct image){ .fd = -1 };
}

/* The part that has @phys, or NULL. */
static const struct image_part *find_part(const struct image_part *parts, size_t count,
					  uint64_t phys)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (parts[middle].phys <= phys)
			low = middle + 1;
		else
			high = middle;
	}
	return low && phys - parts[low - 1].phys < parts[low - 1].len ? &parts[low - 1] : NULL;
}

bool image_read(const struct image *image, uint64_t phys, void *p, size_t len)
{
	while (len) {
		const struct image_part *part = find_part(image->parts, image->count, phys);
		bool is_zero = !part;
		uint64_t left;
		size_t n;

		if (is_zero)
			part = find_part(image->zeros, image->zeros_count, phys);
		if (!part)
			return false;
		left = part->len - (phys - part->phys);
		n = left < len ? left : len;
		if (is_zero)
			memset(p, 0, n);
		else if (!read_at(image, part->offset + (phys - part->phys), p, n))
			return false;
		p = (char *)p + n;
		phys += n;
		len -= n;
	}
	return true;
}
