// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "choice.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ktrace.h>
#include <unistd.h>

#include "decode/out.h"
#include "options.h"

#define DEFAULT_WIDTH 80
#define MINIMUM_WIDTH 9

struct options options;

static const struct {
	char letter;
	uint32_t points;
} letters[] = {
	{ 'a', KTRFAC_ARGS },
	{ 'c', KTRFAC_SYSCALL | KTRFAC_SYSRET },
	{ 'e', KTRFAC_ENVS },
	{ 'f', KTRFAC_FAULT | KTRFAC_FAULTEND },
	{ 'i', KTRFAC_GENIO },
	{ 'n', KTRFAC_NAMEI },
	{ 'p', KTRFAC_CAPFAIL },
	{ 's', KTRFAC_PSIG },
	{ 't', KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY },
	{ 'u', KTRFAC_USER },
	{ 'w', KTRFAC_CSW },
	{ 'x', KTRFAC_EXTERR },
	{ 'y', KTRFAC_SYSCTL },
	{ '+', KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_GENIO | KTRFAC_NAMEI | KTRFAC_CAPFAIL |
		       KTRFAC_PSIG | KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY | KTRFAC_USER |
		       KTRFAC_SYSCTL },
};

#define LETTERS (sizeof(letters) / sizeof(letters[0]))

uint32_t choice_points(const char *text)
{
	uint32_t points = 0;
	const char *p;

	for (p = text; *p; p++) {
		size_t i;

		for (i = 0; i < LETTERS && letters[i].letter != *p; i++)
			;
		if (i == LETTERS)
			die("-t %s: there is no trace point '%c' (one of acefinpstuwxy+)", text,
			    *p);
		points |= letters[i].points;
	}
	if (points == 0)
		die("-t '': no trace points given (some of acefinpstuwxy+)");
	return points;
}

long choice_number(char option, const char *text, long least)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < least || value > INT_MAX)
		die("-%c %s: not a number from %ld to %d", option, out_operand(text), least,
		    INT_MAX);
	return value;
}

/* Data is as wide as the terminal that stderr is; -n is for programs. */
unsigned int choice_width(void)
{
	struct winsize size;

	if (options.plain || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col < MINIMUM_WIDTH)
		return DEFAULT_WIDTH;
	return size.ws_col;
}

/* https://no-color.org */
bool choice_default_colour(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fd) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

bool choice_colour(const char *when, int fd)
{
	if (!when || strcmp(when, "always") == 0)
		return true;
	if (strcmp(when, "never") == 0)
		return false;
	if (strcmp(when, "auto") != 0)
		die("--color=%s: neither auto, always nor never", out_operand(when));
	return choice_default_colour(fd);
}

const struct view *choice_summary(const char *what)
{
	if (!what || strcmp(what, "call") == 0)
		return &summary_view;
	if (strcmp(what, "process") != 0)
		die("--summary=%s: the rows are by \"call\" or by \"process\"", out_operand(what));
	return &summary_process_view;
}

void choice_sort(const char *text)
{
	if (options.view != &summary_view && options.view != &summary_process_view)
		die("--sort is for --summary only");
	if (!summary_sort_parse(text, &options.sort))
		die("--sort %s: not one of time, calls, errors, mean, max, p99, name",
		    out_operand(text));
}

bool options_wants(unsigned int type)
{
	return options.all_points || (type < 32 && options.points & (1U << type));
}
