"""Changes of files: their form, kinds, sizes and names."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.submissions.bases import Copy
from tests.submissions.hostile import hostile


def _insert(copy: Copy, marker: bytes, text: bytes) -> None:
    """Put bytes behind the first place of ``marker`` in the result."""
    copy.result_last = lambda data: data.replace(marker, marker + text, 1)


# The form of the result.


@hostile("json-number")
def nan(copy: Copy) -> None:
    _insert(copy, b'"measures":{', b'"x":NaN,')


@hostile("json-number")
def infinity_by_its_name(copy: Copy) -> None:
    _insert(copy, b'"measures":{', b'"x":-Infinity,')


@hostile("json-number")
def infinity_by_its_exponent(copy: Copy) -> None:
    _insert(copy, b'"measures":{', b'"x":1e999,')


@hostile("json-number")
def number_of_four_million_digits(copy: Copy) -> None:
    _insert(copy, b'"measures":{', b'"x":' + b"9" * 4_000_000 + b",")


@hostile("json-depth")
def deep_nesting(copy: Copy) -> None:
    _insert(copy, b'"measures":{', b'"x":' + b"[" * 100_000 + b"]" * 100_000 + b",")


@hostile("json-duplicate-key")
def duplicate_key(copy: Copy) -> None:
    _insert(copy, b'"episodes": [\n{', b'"seed":0,')


@hostile("json-duplicate-key")
def second_list_of_metrics(copy: Copy) -> None:
    _insert(copy, b"{", b'"metrics":{},')


@hostile("json-syntax")
def truncated(copy: Copy) -> None:
    copy.result_last = lambda data: data[: len(data) // 2]


@hostile("json-syntax")
def trailing_text(copy: Copy) -> None:
    copy.result_last = lambda data: data + b"x"


@hostile("json-syntax")
def string_without_end_full_of_quotes(copy: Copy) -> None:
    copy.result_last = lambda data: b'{"' + b'\\"' * 2_400_000


@hostile("json-syntax")
def mark_of_the_byte_order(copy: Copy) -> None:
    copy.result_last = lambda data: b"\xef\xbb\xbf" + data


@hostile("json-encoding")
def another_encoding(copy: Copy) -> None:
    copy.result_last = lambda data: data.decode().encode("utf-16")


@hostile("json-encoding")
def latin_1(copy: Copy) -> None:
    _insert(copy, b'"os": "', b"\xe9")


@hostile("json-encoding")
def half_a_character(copy: Copy) -> None:
    _insert(copy, b'"measures":{', b'"\\ud800":1,')


@hostile("result-schema")
def unknown_field(copy: Copy) -> None:
    _insert(copy, b"{", b'"verified":true,')


@hostile("result-schema")
def million_empty_episodes(copy: Copy) -> None:
    _insert(copy, b'"episodes": [\n', b"{}," * 1_500_000)


@hostile("result-schema")
def path_in_place_of_the_transcript(copy: Copy) -> None:
    section = b'{"file": "../../../etc/passwd", "sha256": "' + b"0" * 64 + b'", "bytes": 1, "lines": 1}'
    copy.result_last = lambda data: data.replace(b'"transcript": null', b'"transcript": ' + section)


@hostile("result-schema")
def list_in_place_of_an_object(copy: Copy) -> None:
    copy.result_last = lambda data: b"[" * 3 + b"]" * 3


@hostile("result-form")
def message_in_the_spaces(copy: Copy) -> None:
    _insert(copy, b"{", b" \t \t\t  ")


@hostile("result-form")
def number_written_otherwise(copy: Copy) -> None:
    copy.result_last = lambda data: data.replace(b'"cost":0.0', b'"cost":0.00', 1)


@hostile("result-form")
def keys_in_another_order(copy: Copy) -> None:
    copy.result_last = lambda data: (json.dumps(dict(reversed(json.loads(data).items())), indent=1) + "\n").encode()


# Kinds, sizes and names.


def _after(copy: Copy, name: str, make: object) -> None:
    def replace(folder: Path) -> None:
        path = folder / name
        path.unlink(missing_ok=True)
        make(path)  # type: ignore[operator]

    copy.after = replace


@hostile("file-kind")
def symbolic_link(copy: Copy) -> None:
    target = copy.base / "result.json"
    _after(copy, "result.json", lambda path: path.symlink_to(target))


@hostile("file-kind")
def link_to_a_device(copy: Copy) -> None:
    _after(copy, "README.md", lambda path: path.symlink_to("/dev/zero"))


@hostile("file-kind")
def pipe(copy: Copy) -> None:
    _after(copy, "metadata.yaml", os.mkfifo)


@hostile("file-kind")
def folder_in_place_of_a_file(copy: Copy) -> None:
    _after(copy, "README.md", Path.mkdir)


@hostile("file-kind")
def link_in_place_of_the_folder(copy: Copy) -> None:
    def move(folder: Path) -> None:
        real = folder.with_name("real")
        folder.rename(real)
        folder.symlink_to(real)

    copy.after = move


@hostile("file-names")
def program_beside_the_files(copy: Copy) -> None:
    copy.after = lambda folder: (folder / "setup.py").write_text("raise SystemExit\n") and None


@hostile("file-names")
def hidden_file(copy: Copy) -> None:
    copy.after = lambda folder: (folder / ".gitattributes").write_text("* filter=x\n") and None


@hostile("file-names")
def folder_beside_the_files(copy: Copy) -> None:
    copy.after = lambda folder: (folder / "logs").mkdir()


@hostile("file-names")
def no_readme(copy: Copy) -> None:
    copy.after = lambda folder: (folder / "README.md").unlink()


@hostile("file-names", base="model")
def no_transcript(copy: Copy) -> None:
    copy.after = lambda folder: (folder / "transcript.jsonl.zst").unlink()


@hostile("file-names")
def transcript_of_a_policy(copy: Copy) -> None:
    copy.after = lambda folder: (folder / "transcript.jsonl.zst").write_bytes(b"anything") and None


@hostile("file-size")
def result_without_bound(copy: Copy) -> None:
    # A file with a hole: it claims two gigabytes and takes none.
    copy.after = lambda folder: os.truncate(folder / "result.json", 2_000_000_000)


@hostile("file-size")
def long_readme(copy: Copy) -> None:
    copy.readme_last = lambda data: data + b"x" * 20_000


@hostile("file-size")
def empty_metadata(copy: Copy) -> None:
    copy.metadata_last = lambda data: b""


# Names, hashes and the generated text.


@hostile("readme")
def advertisement_in_the_readme(copy: Copy) -> None:
    copy.readme_last = lambda data: data + b"\n[Best model](https://example.org)\n"


@hostile("readme")
def edited_score_in_the_readme(copy: Copy) -> None:
    copy.readme_last = lambda data: data.replace(b"0.00 %", b"90.00 %", 1)


@hostile("folder-name")
def another_name(copy: Copy) -> None:
    copy.name_last = lambda suite, name: (suite, name[:-8] + "00000000")


@hostile("folder-name")
def another_suite(copy: Copy) -> None:
    copy.name_last = lambda suite, name: ("crafter@1", name)


@hostile("folder-name")
def folder_of_no_form(copy: Copy) -> None:
    copy.name_last = lambda suite, name: (suite, "best<img>")


@hostile("result-hash")
def hash_of_another_result(copy: Copy) -> None:
    # Not a digit of the first eight, which are part of the folder's name.
    def change(data: bytes) -> bytes:
        digest = data.split(b"result: ")[1][:64]
        other = digest[:-1] + (b"0" if digest[-1:] != b"0" else b"1")
        return data.replace(digest, other)

    copy.metadata_last = change


# The form of the metadata.


@hostile("metadata-form")
def comment_in_the_metadata(copy: Copy) -> None:
    copy.metadata_last = lambda data: data + b"# anything\n"


@hostile("metadata-form")
def billion_laughs(copy: Copy) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 9) + "]" for i in range(1, 12)]
    copy.metadata_last = lambda data: data + "\n".join(rows).encode() + b"\n"


@hostile("metadata-form")
def object_of_python(copy: Copy) -> None:
    copy.metadata_last = lambda data: data.replace(b"contact: ", b"contact: !!python/object/apply:os.system ['true'] #")


@hostile("metadata-form")
def key_that_stands_twice(copy: Copy) -> None:
    copy.metadata_last = lambda data: data + b"attempts: 1\n"


@hostile("metadata-form")
def metadata_in_another_encoding(copy: Copy) -> None:
    copy.metadata_last = lambda data: data.decode().encode("utf-16")


@hostile("metadata-form")
def deep_metadata(copy: Copy) -> None:
    copy.metadata_last = lambda data: data + b"x: " + b"[" * 9_000


@hostile("metadata-schema")
def trust_that_one_gives_oneself(copy: Copy) -> None:
    copy.metadata_last = lambda data: data + b"verified: true\n"


@hostile("metadata-schema")
def no_attempts(copy: Copy) -> None:
    copy.metadata["attempts"] = 0


@hostile("metadata-schema")
def answer_that_is_none(copy: Copy) -> None:
    copy.metadata_last = lambda data: data.replace(b"'no'", b"perhaps")


@hostile("metadata-schema")
def path_in_place_of_a_repository(copy: Copy) -> None:
    copy.metadata["model_repository"] = "../../etc"


@hostile("metadata-schema")
def script_in_place_of_a_report(copy: Copy) -> None:
    copy.metadata["report"] = "javascript:alert(1)"


@hostile("metadata-schema")
def long_description(copy: Copy) -> None:
    copy.metadata["description"] = "x" * 2001


@hostile("metadata-schema")
def date_that_is_none(copy: Copy) -> None:
    copy.metadata["date"] = "2026-13-01"
