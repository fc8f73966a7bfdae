"""An offline verifier of Signet exports, written from docs/verify.md and docs/export.md alone.

    pip install coincurve==21.0.0
    python3 verify.py verify [--policy FILE] [--observers FILE] [--now UNIX_SECONDS] EXPORT.json
    python3 verify.py vectors FOLDER

Ends with 0 where nothing failed, with 1 where something did, and with 2 where it was not used as above.
"""

import argparse
import codecs
import pathlib
import sys
import time

from exports import check_export
from holds import holds_in
from key_state import state_at
from log import Policy
from seen import Observers
from vectors import check_folder


def main():
    parser = argparse.ArgumentParser(prog="verify.py", description="Checks exports of Signet offline.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    verify = commands.add_parser("verify", help="check a file")
    verify.add_argument("file")
    verify.add_argument("--policy", help="a policy (C2SP tlog-policy): whom to believe about the log")
    verify.add_argument("--observers", help="a list of observers: whom to believe about posts")
    verify.add_argument("--now", type=int, default=int(time.time()), help="UNIX seconds")
    verify.set_defaults(run=run_verify)
    vectors = commands.add_parser("vectors", help="check this program against vectors/")
    vectors.add_argument("folder")
    vectors.set_defaults(run=run_vectors)
    arguments = parser.parse_args()
    try:
        return arguments.run(arguments)
    except OSError as error:
        print(f"{error.filename} cannot be read: {error.strerror}", file=sys.stderr)
    except UnicodeError:
        print("The file is not a text in UTF-8.", file=sys.stderr)
    return 2


def run_verify(arguments):
    text = read(arguments.file)
    try:
        policy = None if arguments.policy is None else Policy(read(arguments.policy))
        observers = None if arguments.observers is None else Observers(read(arguments.observers))
    except ValueError as error:
        print(f"Whom to believe cannot be read: {error}", file=sys.stderr)
        return 2
    steps, file = check_export(text, policy, arguments.now, observers)
    if file is not None:
        print(f"{len(file['links'])} links and {len(file['patches'])} patches of {file['avatar']}")
        for sentence in sentences_of(state_at(file.get("keys", []), arguments.now)) if steps.is_good else []:
            print(sentence)
        if steps.is_good and "keys" in file:
            steps.extend(holds_in(file, arguments.now))
    for name, state, where in steps:
        print(f"{state:14} {name}{f' ({where})' if where else ''}")
    print("verified" if steps.is_good else f"not verified: {', '.join(steps.named('failed'))}")
    return 0 if steps.is_good else 1


def sentences_of(state):
    """What the key events of a file lead to, for people."""
    if state.succession:
        yield f"succeeded by {state.succession['successor']}: bindings behind {state.succession['since_link']} are void"
    if state.pending_succession:
        yield f"frozen: {state.pending_succession['fields']['successor']} is to succeed it"
    if state.freeze:
        yield f"frozen until UNIX time {int(state.freeze['due_at'])}"


def read(name):
    """The text of a file: UTF-8, or UTF-16 with a byte order mark, which is left out. UnicodeError for other bytes."""
    content = pathlib.Path(name).read_bytes()
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise UnicodeError("a text in UTF-32")
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_utf16 else "utf-8-sig").replace("\r\n", "\n")


def run_vectors(arguments):
    count, differences = check_folder(arguments.folder)
    for difference in differences:
        print(difference, file=sys.stderr)
    print(f"{count - len(differences)} of {count} vectors as expected")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
