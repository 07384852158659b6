// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A record's payload is moved to memory of exactly its length: in the reader's
 * buffer it has neighbours, and a sanitizer would see no harm in reading them.
 * Linked with --wrap=ktrace_reader_next.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader/ktrace_reader.h"

int __real_ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record);
int __wrap_ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record);

int __wrap_ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record)
{
	static unsigned char *payload;
	int ret;

	free(payload);
	payload = NULL;
	ret = __real_ktrace_reader_next(reader, record);
	if (ret <= 0)
		return ret;
	payload = malloc(record->len);
	if (!payload && record->len)
		_exit(125);
	if (record->len)
		memcpy(payload, record->data, record->len);
	record->data = payload;
	return ret;
}
