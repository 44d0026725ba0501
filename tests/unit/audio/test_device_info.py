"""Which device a person means, and which ones a list shows."""

import pytest

from edgevox.audio.device_info import DeviceInfo, default_device, find_device, list_devices
from edgevox.audio.devices import describe_devices, device_record
from edgevox.core.errors import DeviceMissing


def device(name: str, host: str = "ALSA", index: int = 0, **fields: object) -> DeviceInfo:
    values: dict[str, object] = {"max_inputs": 1, "max_outputs": 2} | fields
    return DeviceInfo(name=name, host=host, index=index, **values)  # pyright: ignore[reportArgumentType]


DESK = [
    device("Conf S1: USB Audio (hw:1,0)", index=0),
    device("HDA Intel: ALC257 (hw:0,0)", index=1, max_inputs=2),
    device("default", index=2, default_input=True, default_output=True),
    device("HDMI monitor", index=3, max_inputs=0),
]


def test_without_a_wish_the_default_is_taken() -> None:
    assert find_device(DESK, None, "input").name == "default"
    assert find_device(DESK, "  ", "output").name == "default"


def test_a_name_may_be_written_in_full_with_its_host_or_in_part() -> None:
    for text in ("Conf S1: USB Audio (hw:1,0)", "ALSA:Conf S1: USB Audio (hw:1,0)", "conf s1", "USB audio"):
        assert find_device(DESK, text, "input").index == 0


def test_a_number_of_the_list_is_understood_and_a_name_that_is_a_number_comes_first() -> None:
    assert find_device(DESK, "1", "input").name.startswith("HDA Intel")
    assert find_device([*DESK, device("1", index=9)], "1", "input").index == 9
    with pytest.raises(DeviceMissing, match="no microphone called “3”"):
        find_device(DESK[2:], "3", "input")


def test_a_device_that_only_plays_is_no_microphone() -> None:
    assert find_device(DESK, "HDMI", "output").index == 3
    with pytest.raises(DeviceMissing, match="no microphone called “HDMI”"):
        find_device(DESK, "HDMI", "input")


def test_an_unknown_name_is_answered_with_the_nearest_and_the_command_that_lists_all() -> None:
    with pytest.raises(DeviceMissing, match=r"did you mean “default”\? `edgevox devices`"):
        find_device(DESK, "defualt", "input")
    with pytest.raises(DeviceMissing, match=r"called “zzz”; `edgevox devices`"):
        find_device(DESK, "zzz", "input")


def test_a_part_that_fits_several_devices_is_a_question_back() -> None:
    with pytest.raises(DeviceMissing, match="more than one microphone"):
        find_device(DESK, "(hw:", "input")


def test_the_exact_name_wins_over_a_longer_one_that_contains_it() -> None:
    assert find_device([device("Mic"), device("Mic 2", index=1)], "mic", "input").index == 0


def test_the_same_device_on_several_hosts_is_one_by_the_best_host() -> None:
    hosts = [
        device("Microphone (USB Audio Device wi", "MME", 0),
        device("Microphone (USB Audio Device with a long name)", "Windows DirectSound", 1),
        device("Microphone (USB Audio Device with a long name)", "Windows WASAPI", 2),
    ]
    assert [d.host for d in list_devices(hosts)] == ["Windows WASAPI"]
    assert find_device(hosts, "USB Audio", "input").host == "Windows WASAPI"
    assert find_device(hosts, "MME:Microphone (USB Audio Device wi", "input").host == "MME"
    assert len(list_devices(hosts, everything=True)) == 3


def test_the_names_of_the_sound_server_are_shown_once_and_all_of_them_work() -> None:
    linux = [
        device("pulse", index=0),
        device("pipewire", index=1),
        device("default", index=2, default_input=True),
        device("dmix", index=3),
        device("hw:0,0", index=4),
    ]
    shown = list_devices(linux)
    assert [d.name for d in shown] == ["default", "hw:0,0"]
    assert shown[0].aliases == ("pulse", "pipewire")
    assert find_device(linux, "pipewire", "input").index == 1


def test_conversions_are_shown_when_there_is_nothing_else() -> None:
    assert [d.name for d in list_devices([device("dmix")])] == ["dmix"]


def test_where_the_system_has_no_default_the_first_that_can_do_it_is_taken() -> None:
    able = [device("out", max_inputs=0), device("mic", index=1)]
    chosen = default_device(able, "input")
    assert chosen is not None
    assert chosen.name == "mic"
    assert default_device([], "input") is None


def test_without_any_device_one_sentence_says_where_one_would_come_from() -> None:
    with pytest.raises(DeviceMissing, match=r"no microphone on this machine.*WSL.*Typed input goes on"):
        find_device([], None, "input")


def test_a_device_is_the_same_whatever_its_number() -> None:
    assert device("a", index=1).same_device(device("a", index=7))
    assert not device("a").same_device(device("a", "OSS"))


def test_a_list_for_people_names_roles_rates_and_defaults() -> None:
    text = describe_devices(DESK)
    assert " 2  ALSA:default  microphone (1 ch), loudspeaker (2 ch), 48000 Hz" in text
    assert "[default microphone, default loudspeaker]" in text
    assert describe_devices([]).startswith("There is no microphone")


def test_a_record_for_scripts_holds_what_settings_store() -> None:
    record = device_record(DESK[0])
    assert record["key"] == "ALSA:Conf S1: USB Audio (hw:1,0)"
    assert record["inputs"] == 1
    assert record["number"] == 0
