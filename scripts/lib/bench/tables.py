# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Tables in Markdown, with columns that line up."""


def number(value, form="%.0f"):
    """A number as text, with commas in what is long, and no -0; nothing for None."""
    if value is None:
        return ""
    text = form % value
    text = text[1:] if text == "-0" else text
    whole, dot, rest = text.partition(".")
    return "{:,}".format(int(whole)) + dot + rest if whole.lstrip("-").isdigit() and len(whole) > 4 else text


def percent(value):
    return "" if value is None else "%+.1f %%" % (100 * value)


def table(rows, left=1):
    """Prints rows of text, the first of which is the head; so many columns are flush left."""
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(rows[0]))]
    lines = [[text.ljust(width) if i < left else text.rjust(width) for i, (text, width) in enumerate(zip(row, widths))]
             for row in rows]
    lines.insert(1, ["-" * width if i < left else "-" * (width - 1) + ":" for i, width in enumerate(widths)])
    for line in lines:
        print("| " + " | ".join(line) + " |")
