// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A tool's main() in this process: what it writes comes here, and so does its
 * exit(3).
 *
 * All of the tool is compiled with -Dmain=tool_main and -Dexit=tool_exit, and
 * the program linked with --wrap for what begins with __wrap_.
 */
#include "tool_run.h"

#include <getopt.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define MAX_STDERR 4096

/* However it is printed: the most that a byte of a file, and a file, may become. */
#define MAX_GROWTH 600
#define MAX_FIXED  (1 << 20)

int tool_main(int argc, char **argv);
void tool_exit(int status) __attribute__((noreturn));
ssize_t __real_write(int fd, const void *buf, size_t len);
ssize_t __wrap_write(int fd, const void *buf, size_t len);

bool tool_runs;

static jmp_buf end;
static char *output;
static size_t output_len, output_size;

void tool_exit(int status)
{
	longjmp(end, status + 1);
}

ssize_t __wrap_write(int fd, const void *buf, size_t len)
{
	if (!tool_runs || fd != STDOUT_FILENO)
		return __real_write(fd, buf, len);
	if (output_len + len > output_size) {
		/* That is not the tool's: see allocations.h. */
		tool_runs = false;
		output_size = 2 * (output_len + len);
		output = realloc(output, output_size);
		tool_runs = true;
		if (!output)
			abort();
	}
	memcpy(output + output_len, buf, len);
	output_len += len;
	return len;
}

const char *tool_setting(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

int tool_add_options(char **argv, int argc, int max)
{
	static char words[1024];
	char *word, *rest = words;

	snprintf(words, sizeof(words), "%s", tool_setting("FUZZ_OPTIONS"));
	while (argc < max - 1 && (word = strsep(&rest, " ")) != NULL)
		if (*word)
			argv[argc++] = word;
	argv[argc] = NULL;
	return argc;
}

/* Returns its status. */
static int run_once(int argc, char **argv)
{
	int status;

	optind = 0;
	output_len = 0;
	tool.begin();
	tool_runs = true;
	status = setjmp(end);
	if (status == 0)
		status = tool_main(argc, argv);
	else
		status--;
	tool_runs = false;
	tool.end();
	return status;
}

void tool_problem(const char *what, const char *text, size_t len)
{
	fprintf(stderr, "\n%s: %s: ", tool.name, what);
	fwrite(text, 1, len, stderr);
	fprintf(stderr, "\n");
	abort();
}

static void check_output(size_t size)
{
	const char *name = tool_setting("FUZZ_CHECK"), *wrong;
	size_t at, from;

	if (strcmp(name, "text") == 0)
		wrong = NULL;
	else if (strcmp(name, "json") == 0)
		wrong = check_json(output, output_len, &at);
	else if (strcmp(name, "json-lines") == 0)
		wrong = check_json_lines(output, output_len, &at);
	else
		tool_problem("FUZZ_CHECK is none of text, json, json-lines", name, strlen(name));
	if (!wrong)
		wrong = check_text(output, output_len, &at);
	if (wrong) {
		from = at > 200 ? at - 200 : 0;
		tool_problem(wrong, output + from,
			     output_len - from < 240 ? output_len - from : 240);
	}
	if (output_len > MAX_FIXED + MAX_GROWTH * size)
		tool_problem("far more output than input", output, 400);
}

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* What is said when all is well. */
static bool is_notice(const char *text)
{
	size_t name = strlen(tool.name);
	unsigned int i;

	if (!begins_with(text, tool.name) || !begins_with(text + name, ": "))
		return false;
	for (i = 0; tool.notices[i]; i++)
		if (begins_with(text + name + 2, tool.notices[i]))
			return true;
	return false;
}

/* As many as there may be, each of the tool. */
static bool is_lines(const char *text, size_t len)
{
	const char *limit = text + len;
	unsigned int lines = 0;

	while (text < limit) {
		const char *newline = memchr(text, '\n', limit - text);

		if (!newline || !begins_with(text, tool.name) || ++lines > tool.max_lines)
			return false;
		text = newline + 1;
	}
	return true;
}

/* What is said on stderr is lines, and there is one if it failed. */
static void check_error(int status, const char *text, size_t len)
{
	size_t at;
	const char *wrong = check_text(text, len, &at);

	if (wrong)
		tool_problem(wrong, text, len);
	if (status > 1 || (status != 0 && len == 0) ||
	    (status == 0 && len != 0 && !is_notice(text)))
		tool_problem("status and stderr do not agree", text, len);
	if (!is_lines(text, len))
		tool_problem("stderr is not of lines", text, len);
}

/* Runs it with a stderr of our own. */
static int run_with_stderr(int argc, char **argv, char *text, size_t *len)
{
	FILE *real = stderr;
	int status;

	stderr = fmemopen(text, MAX_STDERR, "w");
	if (!stderr)
		abort();
	status = run_once(argc, argv);
	*len = ftell(stderr);
	fclose(stderr);
	stderr = real;
	return status;
}

/* Nothing of one run is left in the next: else what is found could not be found again. */
static void check_again(int argc, char **argv, int status)
{
	char text[MAX_STDERR], *before = output;
	size_t before_len = output_len, len;

	output = NULL;
	output_size = 0;
	if (run_with_stderr(argc, argv, text, &len) != status || output_len != before_len ||
	    memcmp(output, before, output_len) != 0)
		tool_problem("the same file again is not the same", text, len);
	free(before);
}

void tool_run(int argc, char **argv, size_t len)
{
	static char text[MAX_STDERR];
	size_t said;
	int status;

	status = run_with_stderr(argc, argv, text, &said);
	check_error(status, text, said);
	if (tool.check)
		tool.check(text, said);
	if (*tool_setting("FUZZ_TWICE") && output_len)
		check_again(argc, argv, status);
	/* What was printed before an error need not be complete: that is for text only. */
	if (status == 0 || strcmp(tool_setting("FUZZ_CHECK"), "text") == 0)
		check_output(len);
}
