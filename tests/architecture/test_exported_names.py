"""The import paths that the documentation promises."""

from importlib import import_module

import pytest

PROMISED = {
    "edgevox.llm": "tool LLM ToolCallResult ToolRegistry load_entry_point_tools",
    "edgevox.agents": "AgentContext GoalHandle GoalStatus skill Skill Session LLMAgent EventBus AgentEvent Agent "
    "AgentResult ToyWorld IrSimEnvironment SimEnvironment SafetyMonitor Handoff MainThreadScheduler "
    "MujocoArmEnvironment MujocoMobileEnvironment "
    "Sequence Fallback Loop Parallel Retry Timeout Orchestrator draw_tree to_behaviortree_xml "
    "Blackboard AgentPool AuditLog Volunteer Router Supervisor HandoffNews Hooks InterruptPolicy Workflow "
    "AgentDefinition",
    "edgevox.agents.capabilities": "FileCommands FileEditing Compaction Snapshots MemoryConsolidation Retention "
    "Cadence Email SafeScripts Capability Bound Site ToolLabel SkillLabel Loading",
    "edgevox.agents.deploy": "DeployableAgent Deployed",
    "edgevox.agents.email": "get_work_with_email EmailService ImapSmtpEmailService ImapSmtpSettings MailServer "
    "ProtonBridgeEmailService ProtonBridgeSettings Email EmailError",
    "edgevox.agents.health": "HealthMonitor HealthRecord HealthFailure Executable NetworkService dependencies_of",
    "edgevox.agents.safe_scripts": "SafeScripts ScriptRunner ScriptService ScriptReport ScriptStatus",
    "edgevox.agents.memory": "MemoryFolders RunJournal Snapshots Consolidation Retention Limits Cadence recall",
    "edgevox.agents.recipes": "project_agent project_permissions",
    "edgevox.agents.staff": "orchestrator librarian",
    "edgevox.examples.chains.project": "app main",
    "edgevox.pipeline": "Frame StopFrame TranscriptionFrame InterruptFrame AudioFrame SafetyMonitor AgentProcessor",
    "edgevox.assistant": "Assistant VoiceParts",
    "edgevox.tools.files": "get_run_file_command cli_skill get_patch_file file_tools Sandbox PermissionPolicy",
    "edgevox.chains": "Agent AgentMode Skill tool factory stop Empty Int Str Strs Stop Invoke",
    "edgevox.chains.models": "Message Role filter_messages MessageKind AgentMode",
    "edgevox.chains.tools": "stop stop_after prompt_user say ask message_user run_nested_agent",
    "edgevox.endpoints.env": "SECRET_SUFFIX ENCRYPTED_NAMESPACE DEFAULT_ENCRYPTED_ENV_PATH encrypt_env load_secrets "
    "resolve_secret",
    "edgevox.endpoints": "LLMEndpoint TranscriptionEndpoint MockLLMEndpoint LLMEndpointRoute ModelSelector "
    "EndpointLike Catalog LocalEndpoint get_completion with_request_options call_transcription_api load_secrets "
    "SECRET_SUFFIX ENCRYPTED_NAMESPACE DEFAULT_ENCRYPTED_ENV_PATH",
    "edgevox.endpoints.inventory": "openrouter cerebras groq llama_cpp ollama vllm lm_studio local",
    "edgevox.bridges": "RosActionSkill ExternalRobotEnvironment RobotTopics RosEventBridge RosNode RosUnavailable",
    "edgevox.examples.agents.framework": "AgentApp",
    "edgevox.examples.agents.home_assistant": "HOME_TOOLS APP",
    "edgevox.examples.agents.dev_toolbox": "DEV_TOOLS NOTES APP",
    "edgevox.examples.agents.robot_commander": "ROBOT_TOOLS ROBOT APP",
    "edgevox.examples.agents.robot_scout": "APP SCOUT_SKILLS",
    "edgevox.examples.agents.robot_irsim": "APP",
    "edgevox.examples.agents.robot_panda": "APP PANDA_SKILLS",
    "edgevox.cli.main": "VoiceBot TextBot main",
    "edgevox.tui": "EdgeVoxApp",
    "edgevox.testing": "ScriptedModel ScriptedRecognizer ScriptedVad ToneTalk FakeClock",
}
FACADES = (
    "edgevox.llm",
    "edgevox.agents",
    "edgevox.agents.capabilities",
    "edgevox.agents.deploy",
    "edgevox.agents.email",
    "edgevox.agents.memory",
    "edgevox.agents.safe_scripts",
    "edgevox.pipeline",
    "edgevox.assistant",
    "edgevox.tools.files",
    "edgevox.chains",
    "edgevox.chains.models",
    "edgevox.chains.tools",
    "edgevox.endpoints",
    "edgevox.sims",
    "edgevox.bridges",
    "edgevox.tui",
    "edgevox.testing",
)


@pytest.mark.parametrize(("module", "name"), [(m, n) for m, names in PROMISED.items() for n in names.split()])
def test_a_promised_name_can_be_imported(module: str, name: str) -> None:
    assert getattr(import_module(module), name) is not None


@pytest.mark.parametrize("module", FACADES)
def test_everything_a_facade_lists_is_there(module: str) -> None:
    facade = import_module(module)
    assert facade.__all__
    for name in facade.__all__:
        assert getattr(facade, name) is not None, name


@pytest.mark.parametrize("module", FACADES)
def test_a_facade_says_so_when_it_does_not_know_a_name(module: str) -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = import_module(module).no_such_name
