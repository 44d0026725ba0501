"""One place that opens ONNX models: few threads, no spinning, errors that a person can read.

Knows onnxruntime's options. Does not know what a model is for.
"""
# onnxruntime ships no types: its names are unknown to the checker.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from pathlib import Path
from typing import Any

from edgevox.core.errors import LibraryMissing, ModelCorrupt, ModelMissing


def open_session(path: Path, *, threads: int) -> Any:
    """Open an ONNX model on the processor and return its `onnxruntime.InferenceSession`.

    Args:
        path: the model file.
        threads: how many threads one inference may use. They wait without spinning: a spinning thread slows
            every other engine on a small machine.

    Raises:
        LibraryMissing: onnxruntime is not installed or does not load.
        ModelMissing: no such file.
        ModelCorrupt: the file is not an ONNX model.
    """
    try:
        import onnxruntime as ort
    except ImportError as error:
        raise LibraryMissing(
            "Speech needs the library onnxruntime, which is missing or does not load; run: pip install 'edgevox[voice]'"
        ) from error
    if not path.is_file():
        raise ModelMissing(f"The model file {path} is not there; run: edgevox models get")
    options: Any = ort.SessionOptions()
    options.intra_op_num_threads = max(1, threads)
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    options.log_severity_level = 4
    try:
        return ort.InferenceSession(str(path), sess_options=options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own classes share no base but Exception
        raise ModelCorrupt(f"{path} is not a usable ONNX model; run: edgevox models verify") from error
