# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Measurements in a guest of scripts/vm, in which a nanosecond is an instruction."""
import json
import os
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
BUILD = os.path.join(TREE, "build", "bench")
GUEST = os.path.join(BUILD, "guest")  # what the guest has as /bench
SECONDS = 3600  # for a guest
kernel = "6.1"  # as of scripts/vm -k
# Before each measurement, in which the guest's clock leaps. The module's hooks stay for a second after the last process
# that was traced, and everybody pays for them meanwhile.
REST = 3  # seconds


class Failure(Exception):
    """Nothing can be measured; the text says why."""


def build():
    """Makes the programs of the benchmark: Failure if that does not work."""
    try:
        subprocess.run(["make", "-s", "-C", os.path.join(TREE, "tests", "bench"), "OUT=" + GUEST], check=True,
                       stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as e:
        raise Failure("cannot build the programs of the benchmark: %s" % e) from None


def emulator():
    """The version of QEMU."""
    said = subprocess.run(["qemu-system-x86_64", "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    return (said.splitlines() or ["QEMU"])[0]


def run(jobs, options=("--icount",)):
    """Carries out jobs (tests/bench/guest-run says what they are) in one guest; returns their results by name."""
    results = {}
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as plan:
        json.dump([{"rest": REST, **job} for job in jobs], plan)
        plan.flush()
        command = [os.path.join(TREE, "scripts", "vm"), "-k", kernel, *options, "-t", str(SECONDS), "-f", GUEST + ":/bench",
                   "-f", plan.name + ":/run/plan", "--", "/bench/guest-run", "/run/plan"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as vm:
            for line in vm.stdout:
                result = json.loads(line)
                results[result["name"]] = result
                print("bench: %s%s" % (result["name"], ": " + result["error"] if "error" in result else ""),
                      file=sys.stderr, flush=True)
        if vm.returncode:
            raise Failure("scripts/vm ended with status %d" % vm.returncode)
    return results


def label(name):
    """Of a part's numbers: those of kernels are kept apart."""
    return name if kernel == "6.1" else "%s-%s" % (name, kernel)


def keep(name, data):
    """Leaves results, as they came, in build/bench for whoever wants to know more."""
    with open(os.path.join(BUILD, label(name) + ".results"), "w", encoding="utf-8") as f:
        json.dump(data, f, indent=1)
