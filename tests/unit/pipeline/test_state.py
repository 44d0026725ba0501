from edgevox.pipeline.state import Flag, StateBoard, VoiceState


def board() -> tuple[StateBoard, list[VoiceState]]:
    changes: list[VoiceState] = []
    return StateBoard(changes.append), changes


def test_without_a_microphone_the_assistant_is_idle() -> None:
    states, changes = board()
    assert states.state is VoiceState.IDLE
    states.set_listening(True)
    states.set_listening(False)
    assert changes == [VoiceState.LISTENING, VoiceState.IDLE]


def test_a_turn_goes_through_its_states() -> None:
    states, changes = board()
    states.set_listening(True)
    steps: list[tuple[Flag, bool]] = [
        ("hearing", True), ("hearing", False), ("thinking", True), ("speaking", True), ("thinking", False),
        ("speaking", False),
    ]  # fmt: skip
    for flag, up in steps:
        states.set(flag, up)
    assert [str(state) for state in changes] == [
        "listening", "hearing", "listening", "thinking", "speaking", "listening",
    ]  # fmt: skip


def test_what_a_person_has_to_know_first_names_the_state() -> None:
    states, _ = board()
    for flag in ("muted", "hearing", "thinking", "speaking", "asking", "stopped"):
        states.set(flag, True)
        assert str(states.state) == flag


def test_the_same_state_is_told_once() -> None:
    states, changes = board()
    states.set("thinking", True)
    states.set("thinking", True)
    assert changes == [VoiceState.THINKING]
