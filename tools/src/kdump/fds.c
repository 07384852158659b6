// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "fds.h"

#include "decode/out.h"
#include "track/track.h"

#define AT_FDCWD (-100)

static void out_known(const struct file *file)
{
	if (!file)
		return;
	out_char('<');
	file_out(file);
	out_char('>');
}

void fds_out(int fd)
{
	out_known(track_file(fd));
}

void fds_out_arg(const struct arg *arg)
{
	if (arg->kind == ARG_ATFD && arg->value == AT_FDCWD)
		out_known(track_cwd());
	else if (arg->kind == ARG_ATFD || arg->kind == ARG_FD)
		fds_out((int)arg->value);
}

void fds_out_result(void)
{
	out_known(track_result());
}
