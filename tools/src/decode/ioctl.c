// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/ioctl.h"

#include <linux/ioctl.h>
#include <stdbool.h>

#include "decode/out.h"

/* As a character constant of C; the locale has no say in it, because the file has what it likes. */
static bool is_quotable(unsigned int c)
{
	return c > ' ' && c < 0x7f && c != '\'' && c != '\\';
}

void ioctl_out_parts(uint32_t request)
{
	static const char *const directions[] = {
		[_IOC_NONE] = "_IO",
		[_IOC_WRITE] = "_IOW",
		[_IOC_READ] = "_IOR",
		[_IOC_READ | _IOC_WRITE] = "_IOWR",
	};
	unsigned int direction = _IOC_DIR(request), type = _IOC_TYPE(request);

	if (direction == _IOC_NONE && (_IOC_SIZE(request) || type == 0)) {
		out_hex(request);
		return;
	}
	out_str(directions[direction]);
	out_printf(is_quotable(type) ? "('%c'," : "(%#x,", type);
	out_hex(_IOC_NR(request));
	if (direction != _IOC_NONE) {
		out_char(',');
		out_hex(_IOC_SIZE(request));
	}
	out_char(')');
}
