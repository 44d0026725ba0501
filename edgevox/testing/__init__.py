"""Fakes that ship: real implementations of the ports, for tests of the product and of your own agents."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.testing.agents import ScriptedAgent
    from edgevox.testing.assistant import Reply, ScriptedAssistant
    from edgevox.testing.audio import FakeAudioBackend, FakeDevice, FakeSpeaker, MicFake
    from edgevox.testing.chat_server import ChatServer, Misbehaviour
    from edgevox.testing.clock import FakeClock
    from edgevox.testing.conversation import Conversation
    from edgevox.testing.desk import ScriptedDesk, ScriptedSource
    from edgevox.testing.engine import ScriptedEngine
    from edgevox.testing.files import file_tokens, follow_chain
    from edgevox.testing.gbnf import Grammar
    from edgevox.testing.keyring import MemoryKeyring, memory_keyring
    from edgevox.testing.model import Calls, ModelRequest, ScriptedModel, call, calls, pieces
    from edgevox.testing.model_files import ctranslate2_file, gguf_file, onnx_file
    from edgevox.testing.model_server import Behaviour, ModelServer
    from edgevox.testing.person import ScriptedPerson
    from edgevox.testing.ros import FakeActionServer, FakeRosNode
    from edgevox.testing.speech import ScriptedRecognizer, ScriptedVad, ToneTalk

_HOMES = {
    "FakeAudioBackend": "edgevox.testing.audio",
    "FakeDevice": "edgevox.testing.audio",
    "FakeSpeaker": "edgevox.testing.audio",
    "MicFake": "edgevox.testing.audio",
    "Reply": "edgevox.testing.assistant",
    "ScriptedAgent": "edgevox.testing.agents",
    "ScriptedAssistant": "edgevox.testing.assistant",
    "ChatServer": "edgevox.testing.chat_server",
    "Misbehaviour": "edgevox.testing.chat_server",
    "FakeClock": "edgevox.testing.clock",
    "Conversation": "edgevox.testing.conversation",
    "ScriptedDesk": "edgevox.testing.desk",
    "ScriptedSource": "edgevox.testing.desk",
    "ScriptedEngine": "edgevox.testing.engine",
    "file_tokens": "edgevox.testing.files",
    "follow_chain": "edgevox.testing.files",
    "Grammar": "edgevox.testing.gbnf",
    "MemoryKeyring": "edgevox.testing.keyring",
    "memory_keyring": "edgevox.testing.keyring",
    "Calls": "edgevox.testing.model",
    "ModelRequest": "edgevox.testing.model",
    "ScriptedModel": "edgevox.testing.model",
    "call": "edgevox.testing.model",
    "calls": "edgevox.testing.model",
    "pieces": "edgevox.testing.model",
    "ctranslate2_file": "edgevox.testing.model_files",
    "gguf_file": "edgevox.testing.model_files",
    "onnx_file": "edgevox.testing.model_files",
    "Behaviour": "edgevox.testing.model_server",
    "ModelServer": "edgevox.testing.model_server",
    "ScriptedPerson": "edgevox.testing.person",
    "FakeActionServer": "edgevox.testing.ros",
    "FakeRosNode": "edgevox.testing.ros",
    "ScriptedRecognizer": "edgevox.testing.speech",
    "ScriptedVad": "edgevox.testing.speech",
    "ToneTalk": "edgevox.testing.speech",
}
"""Where each name lives; add yours here, and to the list above for type checkers."""

__all__ = [
    "Behaviour",
    "Calls",
    "ChatServer",
    "Conversation",
    "FakeActionServer",
    "FakeAudioBackend",
    "FakeClock",
    "FakeDevice",
    "FakeRosNode",
    "FakeSpeaker",
    "Grammar",
    "MemoryKeyring",
    "MicFake",
    "Misbehaviour",
    "ModelRequest",
    "ModelServer",
    "Reply",
    "ScriptedAgent",
    "ScriptedAssistant",
    "ScriptedDesk",
    "ScriptedEngine",
    "ScriptedModel",
    "ScriptedPerson",
    "ScriptedRecognizer",
    "ScriptedSource",
    "ScriptedVad",
    "ToneTalk",
    "call",
    "calls",
    "ctranslate2_file",
    "file_tokens",
    "follow_chain",
    "gguf_file",
    "memory_keyring",
    "onnx_file",
    "pieces",
]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
