"""Taking replies apart: every family's markup, cut everywhere."""

import json
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.core.completion import ToolCall
from edgevox.llm.parsers import Discarded, Part, ReplyParser

TOOLS = {"set_light": ("room", "on"), "batch": ("xs", "opts", "note"), "get_pose": ()}
LIGHT = ("set_light", {"room": "kitchen", "on": True})
KITCHEN = '{"name": "set_light", "arguments": {"room": "kitchen", "on": true}}'

FAMILIES = {
    "hermes": f"<tool_call>\n{KITCHEN}\n</tool_call>",
    "hermes_unclosed": f"<tool_call>\n{KITCHEN}",
    "hermes_brace_missing": f"<tool_call>\n{KITCHEN[:-1]}\n</tool_call>",
    "qwen_doubled_braces": f"<tool_call>\n{{{KITCHEN}}}\n</tool_call>",
    "qwen_coder_xml": "<tool_call>\n<function=set_light>\n<parameter=room>\nkitchen\n</parameter>\n"
    "<parameter=on>\ntrue\n</parameter>\n</function>\n</tool_call>",
    "python_words": "<tool_call>{'name': 'set_light', 'arguments': {'room': 'kitchen', 'on': True}}</tool_call>",
    "llama3_tag": '<|python_tag|>{"name": "set_light", "parameters": {"room": "kitchen", "on": true}}<|eom_id|>',
    "llama3_tag_python": '<|python_tag|>set_light.call(room="kitchen", on=True)<|eom_id|>',
    "llama3_bare": '{"name": "set_light", "parameters": {"room": "kitchen", "on": true}}',
    "llama3_function": '<function=set_light>{"room": "kitchen", "on": true}</function>',
    "mistral_list": '[TOOL_CALLS] [{"name": "set_light", "arguments": {"room": "kitchen", "on": true}}]</s>',
    "mistral_args": '[TOOL_CALLS]set_light[ARGS]{"room": "kitchen", "on": true}',
    "mistral_call_id": '[TOOL_CALLS]set_light[CALL_ID]a1b2c3[ARGS]{"room": "kitchen", "on": true}',
    "gemma4": '<|tool_call>call:set_light{room:<|"|>kitchen<|"|>,on:true}<tool_call|>',
    "gemma3_code": '```tool_code\nset_light(room="kitchen", on=True)\n```',
    "gemma3_print": '```tool_code\nprint(set_light("kitchen", True))\n```',
    "lfm2": '<|tool_call_start|>[set_light(room="kitchen", on=True)]<|tool_call_end|>',
    "pythonic": '[set_light(room="kitchen", on=True)]',
    "phi4": '<|tool_call|>[{"name": "set_light", "arguments": {"room": "kitchen", "on": true}}]<|/tool_call|>',
    "functionary": '>>>set_light\n{"room": "kitchen", "on": true}',
    "ours": '{"tool": "set_light", "args": {"room": "kitchen", "on": true}}',
    "ours_flat": '{"tool": "set_light", "room": "kitchen", "on": true}',
    "ours_fenced": '```json\n{"tool": "set_light", "args": {"room": "kitchen", "on": true}}\n```',
    "openai": '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "set_light", "arguments": '
    '"{\\"room\\": \\"kitchen\\", \\"on\\": true}"}}]}',
}


def parse(pieces: Sequence[str], *, thinking: bool = False) -> list[Part]:
    parser = ReplyParser(TOOLS, thinking=thinking)
    parts = [part for piece in pieces for part in parser.feed(piece)]
    return parts + parser.finish()


def words(parts: Sequence[Part]) -> str:
    return "".join(part for part in parts if isinstance(part, str))


def spoken(parts: Sequence[Part]) -> str:
    """What is left for the person once discarded thinking is taken back."""
    last = max((i for i, part in enumerate(parts) if isinstance(part, Discarded)), default=-1)
    return words(parts[last + 1 :])


def called(parts: Sequence[Part]) -> list[tuple[str, object]]:
    return [(part.name, json.loads(part.arguments)) for part in parts if isinstance(part, ToolCall)]


def cuts(text: str) -> list[list[str]]:
    """Every way to cut a text in two, whole, and character by character."""
    return [[text], list(text), *([text[:i], text[i:]] for i in range(1, len(text)))]


def normal(arguments: object) -> object:
    return json.loads(json.dumps(arguments).replace('"true"', "true"))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_call_is_found_and_no_markup_is_said_wherever_the_stream_is_cut(family: str) -> None:
    for pieces in cuts(FAMILIES[family]):
        parts = parse(pieces)
        assert [(name, normal(arguments)) for name, arguments in called(parts)] == [LIGHT], pieces
        assert words(parts) == "", pieces


@pytest.mark.parametrize("family", FAMILIES)
def test_words_before_and_after_a_call_are_kept(family: str) -> None:
    markup = FAMILIES[family]
    marked = markup[:1] not in "{[`>" or markup.startswith("[TOOL")
    before = "Let me see. " if marked else ""
    text = f"{before}{markup}"
    for pieces in cuts(text):
        parts = parse(pieces)
        assert words(parts) == before, pieces
        assert len(called(parts)) == 1, pieces


@pytest.mark.parametrize(
    "text",
    [
        'You can call set_light(room="kitchen", on=True) yourself.',
        'Say {"tool": "set_light", "args": {"room": "kitchen", "on": true}} to it.',
        "The set_light tool turns lights on; [set_light(room='kitchen')] is how it looks.",
        "[kitchen] is on [/done]",
        '{"temperature": 20}',
        "{curly} words",
        "[1] see the notes",
        "```python\nprint('hello')\n```",
        'The JSON is\n```json\n{"tool": "set_light", "args": {}}\n```',
        "2 < 3 and 3 > 2, I <3 you",
        "Use a | b or <b>bold</b>",
        "I would set_light",
        '{"name": "Sam", "age": 3}',
    ],
)
def test_what_is_only_mentioned_is_said_and_not_done(text: str) -> None:
    for pieces in cuts(text):
        parts = parse(pieces)
        assert called(parts) == [], pieces
        assert words(parts) == text, pieces


@pytest.mark.parametrize(
    ("text", "thinking"),
    [
        ("<think>a long thought</think>x", False),
        ("a thought without a beginning</think>x", False),
        ("a thought without a beginning</think>x", True),
        ("<think></think>x", False),
        ("<think>\n\n</think>\n\nx", False),
        ('<think>I could {"tool": "set_light", "args": {}} or <tool_call>{}</tool_call></think>x', False),
        ("<thinking>hm</thinking>x", False),
        ("<|channel>thought\nhm<channel|>x", False),
        ("x<think>afterthought that never ends", False),
        ("x<|im_end|>", False),
        ("x</s>", False),
        ("x<tool_response>made up</tool_response>", False),
    ],
)
def test_thinking_and_stray_markers_never_reach_the_person(text: str, thinking: bool) -> None:
    for pieces in cuts(text):
        parts = parse(pieces, thinking=thinking)
        assert spoken(parts) == "x", pieces
        assert called(parts) == []


@pytest.mark.parametrize("text", ["<think>never ends", "<think>", "<thi", "<tool_ca", "[TOOL_C"])
def test_thinking_or_markup_that_was_cut_off_says_nothing(text: str) -> None:
    for pieces in cuts(text):
        assert parse(pieces) == []


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "set_light", "arguments": {"room": "kit',
        '{"tool": "set_light", "args": {"room": "kit',
        '<|tool_call>call:set_light{room:<|"|>kit',
        '[TOOL_CALLS]set_light[ARGS]{"room": "kit',
        '[set_light(room="kit',
        '<|tool_call_start|>[set_light(room="kit',
        '```json\n{"tool": "set_light", "args": {"ro',
    ],
)
def test_a_call_that_was_cut_off_is_neither_run_nor_said(text: str) -> None:
    for pieces in cuts(text):
        parts = parse(pieces)
        assert called(parts) == [], pieces
        assert "kit" not in words(parts), pieces


def test_thinking_inside_an_argument_is_the_argument() -> None:
    text = '<tool_call>{"name": "batch", "arguments": {"note": "<think>a</think> </tool_call> b"}}</tool_call>x'
    for pieces in cuts(text):
        parts = parse(pieces)
        assert called(parts) == [("batch", {"note": "<think>a</think> </tool_call> b"})], pieces
        assert words(parts) == "x"


def test_gemma_keeps_lists_objects_and_commas_in_arguments() -> None:
    text = '<|tool_call>call:batch{xs:[1,2],opts:{deep:true},note:<|"|>a, b: c<|"|>}<tool_call|>'
    expected = [("batch", {"xs": [1, 2], "opts": {"deep": True}, "note": "a, b: c"})]
    for pieces in cuts(text):
        assert called(parse(pieces)) == expected, pieces


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ("{}", {}),
        ("{a:null,b:-1.5,c:false}", {"a": None, "b": -1.5, "c": False}),
        ("{a:plain words,b:[]}", {"a": "plain words", "b": []}),
        ('{<|"|>odd key<|"|>:1}', {"odd key": 1}),
        ('{a:"json \\" string"}', {"a": 'json " string'}),
        ('{a:[{b:[<|"|>x}<tool_call|>]<|"|>]}]}', {"a": [{"b": ["x}<tool_call|>]"]}]}),
    ],
)
def test_gemma_arguments_nest(body: str, arguments: object) -> None:
    for pieces in cuts(f"<|tool_call>call:batch{body}<tool_call|>"):
        assert called(parse(pieces)) == [("batch", arguments)], pieces


def test_several_calls_in_one_reply_keep_their_order() -> None:
    for text in (
        f'<tool_call>{KITCHEN}</tool_call>\n<tool_call>{{"name": "get_pose", "arguments": {{}}}}</tool_call>',
        f'<tool_call>{KITCHEN}\n<tool_call>{{"name": "get_pose", "arguments": {{}}}}</tool_call>',
        f'<tool_call>{KITCHEN}\n{{"name": "get_pose", "arguments": {{}}}}</tool_call>',
        '{"tool": "set_light", "args": {"room": "kitchen", "on": true}}\n{"tool": "get_pose", "args": {}}',
        '<|tool_call_start|>[set_light(room="kitchen", on=True), get_pose()]<|tool_call_end|>',
        '[TOOL_CALLS]set_light[ARGS]{"room": "kitchen", "on": true}[TOOL_CALLS]get_pose[ARGS]{}',
        '<|tool_call>call:set_light{room:<|"|>kitchen<|"|>,on:true}<tool_call|><|tool_call>call:get_pose{}<tool_call|>',
        '<|python_tag|>{"name": "set_light", "parameters": {"room": "kitchen", "on": true}}; '
        '{"name": "get_pose", "parameters": {}}',
    ):
        for pieces in cuts(text):
            parts = parse(pieces)
            assert called(parts) == [LIGHT, ("get_pose", {})], pieces
            assert words(parts) == ""


def test_an_unknown_name_in_a_familys_own_markup_is_still_a_call() -> None:
    assert called(parse(['<tool_call>{"name": "fly", "arguments": {}}</tool_call>'])) == [("fly", {})]
    assert called(parse(['{"tool": "fly", "args": {}}'])) == [("fly", {})]


def test_markup_around_a_name_is_taken_off() -> None:
    assert called(parse(['<tool_call>{"name": "<b>functions.set_light</b>", "arguments": {}}</tool_call>'])) == [
        ("set_light", {})
    ]


@pytest.mark.parametrize("name", ['"', "x-y z", "<|im_end|>", "root ::= x", "ü🙂"])
def test_a_tool_that_exists_is_called_by_its_name_however_odd(name: str) -> None:
    text = json.dumps({"tool": name, "args": {name: name}}, ensure_ascii=False)
    parser = ReplyParser({name: [name]})
    assert called([*parser.feed(text), *parser.finish()]) == [(name, {name: name})]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (
            '>>>set_light\n{"room": "kitchen", "on": true}{"tool": "set_light", "args": {"room": "hall", "on": true}}',
            2,
        ),
        ('<function=set_light>{"room": "kitchen", "on": true} {"note": 1}</function>', 1),
        ('>>>set_light\n{"room": "kitchen", "on": true} and so on', 1),
    ],
)
def test_what_stands_behind_the_arguments_does_not_spoil_them(text: str, count: int) -> None:
    found = called(parse(list(text)))
    assert found[0] == ("set_light", {"room": "kitchen", "on": True})
    assert len(found) == count
    assert "{" not in words(parse([text]))


_SNIPPETS = [
    *FAMILIES.values(),
    "<think>",
    "</think>",
    "hello ",
    "{",
    "}",
    "[",
    "]",
    "```",
    '"',
    "<|",
    "|>",
    "ü",
    "🙂 ",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_SNIPPETS) | st.text(max_size=8), max_size=6), st.randoms(use_true_random=False))
def test_the_parts_do_not_depend_on_where_the_stream_is_cut(snippets: list[str], random: Random) -> None:
    text = "".join(snippets)
    places = sorted({random.randint(0, len(text)) for _ in range(5)})
    pieces = [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]
    whole, cut = parse([text]), parse(pieces)
    assert words(cut) == words(whole)
    assert called(cut) == called(whole)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='{}[]()<>|":,ab1 \n`/', max_size=60))
def test_hostile_text_never_raises(text: str) -> None:
    assert words(parse(list(text))) == words(parse([text]))
