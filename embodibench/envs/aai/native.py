# mypy: disable-error-code="misc, no-untyped-call, untyped-decorator"
"""A few machine instructions for compiled code: call C functions, read a double or an integer at an address."""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


@intrinsic
def call(typing: Any, function: Any, model: Any, data: Any) -> Any:
    """``function(model, data)`` for the address of a C function ``void f(const mjModel*, mjData*)``."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer, pointer])
        target = builder.inttoptr(values[0], kind.as_pointer())
        builder.call(target, [builder.inttoptr(values[1], pointer), builder.inttoptr(values[2], pointer)])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64), code


def _reader(numba_type: Any, width: Any) -> Any:
    def read(typing: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            loaded = builder.load(builder.inttoptr(values[0], width.as_pointer()))
            return builder.sext(loaded, ir.IntType(64)) if width == ir.IntType(32) else loaded

        return numba_type(types.int64), code

    return read


double_at = intrinsic(_reader(types.float64, ir.DoubleType()))
int_at = intrinsic(_reader(types.int64, ir.IntType(32)))
pointer_at = intrinsic(_reader(types.int64, ir.IntType(64)))
