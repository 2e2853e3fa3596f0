"""Where MuJoCo keeps the few numbers that the motion law reads between two physics steps.

The compiled step calls MuJoCo's C functions itself, because going through Python costs as much as the physics. It needs
the byte offsets of a few struct fields. They are derived from the type descriptions that the installed MuJoCo ships
(``mujoco.introspect``), and checked against addresses that the bindings report, so another version of MuJoCo either
works or is refused.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import mujoco

_SCALARS: dict[str, Any] = {
    "mjtNum": ctypes.c_double,
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "int": ctypes.c_int,
    "mjtSize": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "uintptr_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
    "mjtByte": ctypes.c_uint8,
    "mjtBool": ctypes.c_uint8,
    "char": ctypes.c_char,
}


@dataclass(frozen=True, slots=True)
class Library:
    """Addresses and offsets.

    Attributes:
        functions: addresses of ``mj_kinematics`` and ``mj_collision``, int64 (2,).
        offsets: byte offsets, int64 (7,): in mjData of ``ncon`` and ``contact``; then the size of mjContact and in it
            the offsets of ``dist``, ``frame``, ``geom`` and ``pos``.
    """

    functions: NDArray[np.int64]
    offsets: NDArray[np.int64]


@cache
def library() -> Library:
    """The installed MuJoCo.

    Raises:
        RuntimeError: its structs cannot be laid out, or are not where they should be.
    """
    import mujoco

    data, contact = _struct("mjData"), _struct("mjContact")
    handle = ctypes.CDLL(mujoco._functions.__file__)
    functions = [ctypes.cast(f, ctypes.c_void_p).value for f in (handle.mj_kinematics, handle.mj_collision)]
    offsets = np.array(
        [
            data.ncon.offset,
            data.contact.offset,
            ctypes.sizeof(contact),
            contact.dist.offset,
            contact.frame.offset,
            contact.geom.offset,
            contact.pos.offset,
        ],
        dtype=np.int64,
    )
    _check(data, contact)
    return Library(np.array(functions, dtype=np.int64), offsets)


def addresses(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[int, int]:
    """Where the C structs of a model and its data are."""
    return int(model._address), int(data._address)


def _struct(name: str) -> Any:
    from mujoco.introspect.structs import STRUCTS

    fields = [(field.name, _type(field.type)) for field in STRUCTS[name].fields]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


def _type(described: Any) -> Any:
    kind = type(described).__name__
    if kind == "PointerType":
        return ctypes.c_void_p
    if kind == "ArrayType":
        inner = _type(described.inner_type)
        for extent in reversed(described.extents):
            inner = inner * extent
        return inner
    if kind == "ValueType":
        if described.name in _SCALARS:
            return _SCALARS[described.name]
        return _struct(described.name) if _is_struct(described.name) else ctypes.c_int
    raise RuntimeError(f"mujoco-core describes a field as {kind}, which cannot be laid out")


def _is_struct(name: str) -> bool:
    from mujoco.introspect.structs import STRUCTS

    return name in STRUCTS


def _check(data_struct: Any, contact_struct: Any) -> None:
    """Compare with what the bindings report for two balls that lie on the ground."""
    import mujoco

    ball = "<body pos='{} 0 .4'><freejoint/><geom size='.5'/></body>"
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody><geom type='plane' size='0 0 1'/>{ball.format(0)}{ball.format(3)}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    raw = data_struct.from_address(int(data._address))
    seen = (contact_struct * 2).from_address(raw.contact)
    contact = data.contact
    same = (
        raw.ncon == data.ncon == 2
        and raw.qpos == data.qpos.ctypes.data
        and all(
            seen[k].dist == contact.dist[k]
            and list(seen[k].frame) == list(contact.frame[k])
            and list(seen[k].pos) == list(contact.pos[k])
            and list(seen[k].geom) == list(contact.geom[k])
            for k in range(2)
        )
    )
    if not same:
        raise RuntimeError(f"mujoco {mujoco.__version__} keeps its data in another form; install mujoco-core==4.0.1")
