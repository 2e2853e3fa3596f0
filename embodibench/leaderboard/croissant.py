"""``croissant.json``: the dataset's files and columns in MLCommons Croissant 1.0."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from embodibench.cards.citation import URL
from embodibench.leaderboard.tables import TABLES

CONFORMS = "http://mlcommons.org/croissant/1.0"
PARQUET = "application/x-parquet"

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification prints."""

ABOUT = {
    "rows": "Accepted submissions: one model with one agent on one benchmark version.",
    "episodes": "Planned trials of the accepted submissions.",
    "baselines": "Published figures of humans, agents and models, each with its source.",
    "tasks": "Task cards of the suites.",
}


def croissant(folder: Path, date: str, version: str, suites: str, dataset: str) -> dict[str, Any]:
    """The description of the dataset in ``folder``, whose tables are there.

    Args:
        date: day of its newest verdict.
        version: of this package.
        suites: labels of the benchmark versions, in words.
        dataset: ORG/NAME on the Hub.
    """
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS,
        "name": "EmbodiBench-leaderboard",
        "description": f"How well language models act in embodied worlds ({suites}); scores that replay derives again.",
        "license": "https://spdx.org/licenses/Apache-2.0.html",
        "url": f"https://huggingface.co/datasets/{dataset}",
        "creator": {"@type": "sc:Organization", "name": "The EmbodiBench authors", "url": URL},
        "datePublished": date,
        "version": version,
        "citeAs": f"@misc{{embodibench, title={{EmbodiBench}}, author={{The EmbodiBench authors}}, url={{{URL}}}}}",
        "isLiveDataset": True,
        "rai:dataCollection": "Runs of the benchmark, submitted by pull request and replayed by the maintainers.",
        "rai:dataBiases": "Submitters choose what they submit; how often they tried is their own statement.",
        "rai:dataLimitations": "Replay proves that the actions earn the score, not which model chose them.",
        "distribution": [_file(folder, name) for name in TABLES],
        "recordSet": [_records(folder, name) for name in TABLES],
    }


def croissant_bytes(description: dict[str, Any]) -> bytes:
    """The file form."""
    return (json.dumps(description, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _file(folder: Path, name: str) -> dict[str, Any]:
    path = folder / "data" / f"{name}.parquet"
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": f"data/{path.name}",
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": PARQUET,
        "sha256": sha256,
    }


def _records(folder: Path, name: str) -> dict[str, Any]:
    schema = pyarrow.parquet.read_schema(folder / "data" / f"{name}.parquet")
    # A list of records has no place in Croissant 1.0; that column is described by the card.
    fields = [field for field in schema if not _holds_records(field.type)]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": ABOUT[name],
        "field": [_field(name, field) for field in fields],
    }


def _holds_records(kind: pyarrow.DataType) -> bool:
    return bool(pyarrow.types.is_list(kind) and pyarrow.types.is_struct(kind.value_type))


def _field(table: str, field: pyarrow.Field) -> dict[str, Any]:
    repeated = pyarrow.types.is_list(field.type)
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{field.name}",
        "name": field.name,
        "dataType": _data_type(field.type.value_type if repeated else field.type),
        **({"repeated": True} if repeated else {}),
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": field.name}},
    }


def _data_type(kind: pyarrow.DataType) -> str:
    if pyarrow.types.is_boolean(kind):
        return "sc:Boolean"
    if pyarrow.types.is_integer(kind):
        return "sc:Integer"
    return "sc:Float" if pyarrow.types.is_floating(kind) else "sc:Text"
