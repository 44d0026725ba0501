"""Everything edgevox raises, in one tree.

Three kinds, never mixed:

* *errors for people* are `EdgeVoxError` and below: a stable `code`, one sentence that says what to do;
* *words for the model* are `ToolFailure`: the text goes back to the model as the tool's result;
* *control flow* is `ControlFlow` and below: not an `Exception`, so that no broad `except` swallows a stop.

    EdgeVoxError
    ├── ConfigError            settings, arguments
    │   └── UsageError         a command line that cannot be understood (exit code 2)
    ├── LibraryMissing         an optional extra is not installed
    ├── DiskFull               no room for what was to be written
    ├── ModelError             files of models
    │   ├── ModelMissing       not on this machine, and nobody said to get it
    │   ├── ModelCorrupt       there, but not what it should be
    │   └── DownloadError      could not be fetched
    ├── DeviceError            microphones and loudspeakers
    │   ├── DeviceMissing
    │   ├── DeviceBusy
    │   └── DeviceDenied
    ├── SpeechError            recognition or synthesis failed
    │   ├── LanguageUnsupported
    │   └── VoiceUnknown
    ├── LanguageModelError     the language model failed
    │   ├── ModelCrashed       its process died
    │   ├── ContextOverflow    the prompt does not fit
    │   ├── EndpointRefused    the provider will not answer until a person mends something: key, money, model name
    │   ├── EndpointUnavailable  the provider is busy, down or out of reach
    │   └── OutputFormatError  the model never answered in the form that was asked for
    ├── CatalogueError         a catalogue of endpoints cannot be used
    ├── SecretsError           encrypted keys cannot be read or written
    ├── ToolDefinitionError    a function cannot become a tool
    ├── ChainGraphError        tools that cannot be chained as they say
    └── AgentError             an agent cannot be built, found or run
        ├── WorkflowInvalid    a workflow is put together from what does not fit
        ├── UserInputUnavailable  the run may not ask a person, or there is none
        └── ChainError         a run of a chain agent failed
            ├── ChainForkError   more than one way to go on
            └── BudgetExceeded   more steps, calls, tokens or seconds than allowed

    ToolFailure                words for the model
    ControlFlow
    ├── Cancelled              the turn, or the part that was running, has been cancelled
    └── StopAgent              a tool ends the run of its agent
"""

from typing import ClassVar


class EdgeVoxError(Exception):
    """An error that a person reads: one sentence that says what to do."""

    code: ClassVar[str] = "error"
    """Stable across releases; scripts and tests compare this, never the sentence."""


class ConfigError(EdgeVoxError):
    """A setting or an argument has a value that cannot be used."""

    code = "config_invalid"


class UsageError(ConfigError):
    """A command line that cannot be understood; the program ends with exit code 2."""

    code = "usage"


class LibraryMissing(EdgeVoxError):
    """An optional library is not installed, or it is installed and does not load."""

    code = "library_missing"


class DiskFull(EdgeVoxError):
    """The disk has no room for what was to be written; what was there before is untouched."""

    code = "disk_full"


class ModelError(EdgeVoxError):
    """The files of a model cannot be used."""

    code = "model_unusable"


class ModelMissing(ModelError):
    """The model is not on this machine and nobody said to download it."""

    code = "model_missing"


class ModelCorrupt(ModelError):
    """The file is there but is not the model: truncated, a web page, a pointer, another file."""

    code = "model_corrupt"


class DownloadError(ModelError):
    """A model could not be fetched: no network, no space, or the source sent something else."""

    code = "download_failed"


class DeviceError(EdgeVoxError):
    """A microphone or a loudspeaker cannot be used."""

    code = "device_unusable"


class DeviceMissing(DeviceError):
    """No such device, or no device at all."""

    code = "device_missing"


class DeviceBusy(DeviceError):
    """Another program holds the device."""

    code = "device_busy"


class DeviceDenied(DeviceError):
    """The operating system does not let this program use the device."""

    code = "device_denied"


class SpeechError(EdgeVoxError):
    """Speech could not be recognised or synthesised."""

    code = "speech_failed"


class LanguageUnsupported(SpeechError):
    """No model on this machine hears or speaks the language."""

    code = "language_unsupported"


class VoiceUnknown(SpeechError):
    """No voice of that name, and none near it."""

    code = "voice_unknown"


class LanguageModelError(EdgeVoxError):
    """The language model could not answer."""

    code = "llm_failed"


class ModelCrashed(LanguageModelError):
    """The process that held the model died; the next request starts another."""

    code = "llm_crashed"


class ContextOverflow(LanguageModelError):
    """The prompt is longer than the model's context, and nothing more can be left out of it."""

    code = "context_overflow"


class EndpointRefused(LanguageModelError):
    """The provider refuses until a person mends something: a key, an account, a model's name."""

    code = "endpoint_refused"


class EndpointUnavailable(LanguageModelError):
    """The provider is busy, down or out of reach; later it may answer."""

    code = "endpoint_unavailable"


class OutputFormatError(LanguageModelError):
    """The model did not answer in the form that was asked for, however often it was told."""

    code = "output_format"


class CatalogueError(EdgeVoxError, ValueError):
    """A catalogue of endpoints cannot be used; the sentence names the field."""

    code = "catalogue_invalid"


class SecretsError(EdgeVoxError, ValueError):
    """Encrypted keys cannot be read or written."""

    code = "secrets_failed"


class ChainGraphError(EdgeVoxError, ValueError):
    """Tools cannot be chained as they say; every problem is listed, each with the names of both tools."""

    code = "chain_graph"


class ToolDefinitionError(EdgeVoxError, ValueError):
    """A function cannot become a tool as it is written."""

    code = "tool_invalid"


class AgentError(EdgeVoxError):
    """An agent cannot be built, found or run."""

    code = "agent_failed"


class WorkflowInvalid(AgentError, ValueError):
    """A workflow is put together from what does not fit: no agents, no attempts, a negative time."""

    code = "workflow_invalid"


class UserInputUnavailable(AgentError):
    """The run may not ask a person, or there is none."""

    code = "nobody_to_ask"


class ChainError(AgentError):
    """A run of a chain agent failed."""

    code = "chain_failed"


class ChainForkError(ChainError):
    """Two chained tools were ready for the same output; the sentence names both."""

    code = "chain_fork"


class BudgetExceeded(ChainError):
    """A run took more steps, model calls, tokens or seconds than it was allowed."""

    code = "budget_exceeded"


class ToolFailure(Exception):
    """Words for the model: raise it in a tool to refuse with a code of your own.

    Args:
        message: what the model, and the person, should know.
        error_code: a short stable word such as `out_of_range`.
    """

    def __init__(self, message: str, *, error_code: str = "failed") -> None:
        super().__init__(message)
        self.error_code = error_code


class ControlFlow(BaseException):
    """What ends or diverts a turn without being a fault."""


class Cancelled(ControlFlow):
    """Raised at a check point of a scope that has been cancelled; the reason is its text."""


class StopAgent(ControlFlow):
    """Raised in a tool to end the run of its agent, without an answer."""


FAULTS = (Exception, SystemExit)
"""What other people's code may raise without ending ours: an agent, a hook or a listener that exits must not take the
program with it. What a person does (Ctrl+C) and what diverts a turn (`ControlFlow`) pass."""


def described(error: BaseException) -> str:
    """Return the kind and the words of an error; the kind alone where it has none."""
    words = str(error)
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
