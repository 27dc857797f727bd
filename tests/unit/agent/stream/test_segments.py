from __future__ import annotations

from collections import defaultdict

import pytest
from tests.unit.agent.reading import block, joined, read, segments, steps, words

from tablewright.agent.stream.blocks import BlockEnd, CodePiece, InventedOutput, SegmentReady, StepAnnotation
from tablewright.agent.stream.segments import SegmentReader
from tablewright.models.dialogue import CodeTags


def test_each_annotation_at_column_0_opens_a_segment() -> None:
    found = read(["Let me look.\n", block("# @step: Read", "x = 1", "", "# @step: 求和", "print(x)"), "\nDone."])
    assert segments(found) == [("Read", "x = 1"), ("求和", "print(x)")]
    assert steps(found) == ["Read", "求和"]
    assert words(found) == "Let me look.\n\nDone."


def test_a_step_is_announced_when_its_line_is_complete() -> None:
    reader = SegmentReader()
    assert not [
        part for part in reader.feed("<|begin_code|>\n# @step: Read the fi") if isinstance(part, StepAnnotation)
    ]
    assert [part for part in reader.feed("le\n") if isinstance(part, StepAnnotation)] == [
        StepAnnotation(key=0, name="Read the file")
    ]


def test_a_segment_is_ready_at_the_first_characters_of_the_next_ones_code() -> None:
    reader = SegmentReader()
    assert not segments(reader.feed("<|begin_code|>\n# @step: A\na = 1\n# @step: B\n"))
    assert not segments(reader.feed("e"))
    assert segments(reader.feed("x")) == []
    assert segments(reader.feed("ec")) == [("A", "a = 1")]


def test_the_last_segment_is_ready_at_the_end_tag_without_a_line_end() -> None:
    reader = SegmentReader()
    assert segments(reader.feed("<|begin_code|>\n# @step: A\na = 1<|end_code|>")) == [("A", "a = 1")]


def test_the_pieces_of_a_steps_code_make_the_code_of_its_segment() -> None:
    text = block("# @step: A", "# why", "a = '''", "", "  x'''", "", "# after", "", "# @step: B", "", "b = 1  ")
    pieces: dict[int, str] = defaultdict(str)
    for part in (found := read([text])):
        if isinstance(part, CodePiece):
            pieces[part.key] += part.text
    ready = {part.key: part.code for part in found if isinstance(part, SegmentReady)}
    assert pieces == ready
    assert list(ready.values()) == ["# why\na = '''\n\n  x'''\n\n# after", "b = 1  "]


@pytest.mark.parametrize("after", ["else:\n    b = 2", "elif y:\n    b = 2", "    b = 2"])
def test_code_that_continues_a_statement_does_not_begin_a_segment(after: str) -> None:
    found = read([block("# @step: A", "if x:", "    b = 1", "# @step: B", *after.split("\n"))])
    assert segments(found) == [("A", f"if x:\n    b = 1\n# @step: B\n{after}")]
    assert steps(found) == ["A", "B"]
    assert [part.also for part in found if isinstance(part, SegmentReady)] == [(1,)]


@pytest.mark.parametrize("word", ["except ValueError:", "finally:"])
def test_a_try_is_not_cut_before_its_handlers(word: str) -> None:
    code = f"try:\n    x = 1\n# @step: B\n{word}\n    pass\nelse_ = 1"
    assert segments(read([block("# @step: A", *code.split("\n"))])) == [("A", code)]


@pytest.mark.parametrize("name", ["elsewhere", "else_", "finally_done", "exceptions", "elif_", "e"])
def test_a_name_that_begins_like_a_continuation_begins_a_segment(name: str) -> None:
    found = read([block("# @step: A", "a = 1", "# @step: B", f"{name} = 1")])
    assert segments(found) == [("A", "a = 1"), ("B", f"{name} = 1")]


def test_a_segment_that_does_not_parse_goes_on() -> None:
    found = read([block("# @step: A", "a = sum(", "# @step: B", "[1, 2])", "# @step: C", "print(a)")])
    assert segments(found) == [("A", "a = sum(\n# @step: B\n[1, 2])"), ("C", "print(a)")]
    assert steps(found) == ["A", "B", "C"]


def test_the_end_of_the_block_ends_a_segment_that_does_not_parse() -> None:
    assert segments(read([block("# @step: A", "a = (")])) == [("A", "a = (")]


def test_an_indented_annotation_announces_but_does_not_cut() -> None:
    found = read([block("# @step: A", "for x in y:", "    # @step: inner", "    print(x)", "# @step: B", "b = 1")])
    assert segments(found) == [("A", "for x in y:\n    # @step: inner\n    print(x)"), ("B", "b = 1")]
    assert steps(found) == ["A", "inner", "B"]


@pytest.mark.parametrize(
    "code",
    [
        "x = '''\n# @step: no\n'''",
        'x = """\n# @step: no\n"""',
        'x = f"""{1}\n# @step: no\n"""',
        "x = 'a\\\n# @step: no'",
        'x = r"""\\\n# @step: no\n"""',
        'x = """a\n```python\n# @step: no\n```\n"""',
        "x = '''it's\n# @step: no\n'''",
        "x = 1  # @step: no",
        "print('# @step: no')",
        "# @step:",
        "# @steps: no",
    ],
)
def test_what_only_looks_like_an_annotation_announces_nothing(code: str) -> None:
    found = read([block("# @step: A", "a = 1", *code.split("\n"), "# @step: B", "b = 1")])
    assert steps(found) == ["A", "B"]
    assert segments(found) == [("A", f"a = 1\n{code}"), ("B", "b = 1")]


@pytest.mark.parametrize("code", ["it = \"it's\" # don't", "x = ''", 'x = ""', "x = '\\''", "'a' \"'''\""])
def test_quotes_that_are_closed_hide_no_annotation(code: str) -> None:
    assert steps(read([block("# @step: A", code, "# @step: B", "b = 1")])) == ["A", "B"]


def test_code_before_the_first_annotation_is_a_segment_without_a_name() -> None:
    found = read([block("import os", "", "# @step: A", "a = 1")])
    assert segments(found) == [(None, "import os"), ("A", "a = 1")]
    assert steps(found) == [None, "A"]


def test_comments_before_the_first_annotation_are_not_a_segment() -> None:
    assert segments(read([block("# look first", "", "# @step: A", "a = 1")])) == [("A", "# look first\n\na = 1")]


def test_of_annotations_without_code_between_them_the_last_names_the_segment() -> None:
    found = read([block("# @step: A", "# @step: B", "b = 1", "# @step: C")])
    ready = [part for part in found if isinstance(part, SegmentReady)]
    assert [(part.name, part.also) for part in ready] == [("B", (0, 2))]


def test_a_block_of_annotations_alone_runs_nothing() -> None:
    found = read([block("# @step: A", "# more")])
    assert segments(found) == []
    assert found[-1] == BlockEnd(closed=True, empty=(0,))


def test_a_missing_end_tag_is_told_and_the_code_kept() -> None:
    found = read(["<|begin_code|>\n# @step: A\na = 1\n"])
    assert segments(found) == [("A", "a = 1")]
    assert found[-1] == BlockEnd(closed=False)


def test_a_block_that_opens_within_another_ends_it() -> None:
    found = read(["<|begin_code|>\n# @step: A\na = 1\n<|begin_code|>\n# @step: B\nb = 1\n<|end_code|>"])
    assert segments(found) == [("A", "a = 1"), ("B", "b = 1")]
    assert [part.closed for part in found if isinstance(part, BlockEnd)] == [False, True]


def test_several_blocks_and_the_words_between_them() -> None:
    found = read(["one", block("a = 1"), "two", block("# @step: B", "b = 1"), "three<|end_code|>!"])
    assert segments(found) == [(None, "a = 1"), ("B", "b = 1")]
    assert words(found) == "onetwothree!"


def test_a_tag_within_a_closed_string_is_code() -> None:
    found = read([block("x = '<|end_code|>' + \"<|end_code|>\"", "y = 1")])
    assert segments(found) == [(None, "x = '<|end_code|>' + \"<|end_code|>\"\ny = 1")]


@pytest.mark.parametrize("code", ["x = 'a", "x = '''a\nb", "x = 1  # 'a"])
def test_a_tag_after_a_string_that_stays_open_ends_the_block(code: str) -> None:
    found = read([f"<|begin_code|>\n{code}<|end_code|>\nwords"])
    assert segments(found) == [(None, code)]
    assert words(found) == "\nwords"


def test_fences_around_the_code_are_not_code() -> None:
    assert segments(read([block("```python", "# @step: A", "a = 1", "```")])) == [("A", "a = 1")]


def test_line_ends_of_every_kind_read_alike() -> None:
    text = "a\n" + block("# @step: A", "a = 1", "# @step: B", "b = 1") + "\nc"
    assert read([text.replace("\n", "\r\n")]) == read([text]) == read([text.replace("\n", "\r")])


def test_a_segment_ends_where_its_code_ends_in_what_was_read() -> None:
    reader = SegmentReader()
    found = [*reader.feed("abc\r\n" + block("# @step: A", "a = 1", "", "# @step: B", "b = 1")), *reader.finish()]
    ends = [reader.text[: part.end] for part in found if isinstance(part, SegmentReady)]
    assert ends[0] == "abc\n<|begin_code|>\n# @step: A\na = 1"
    assert ends[1].endswith("# @step: B\nb = 1")


@pytest.mark.parametrize("line", ["%time a = 1", "!ls 'it", "?print", "await f()", "%%bash\nfor x in 1 2; do"])
def test_cells_that_only_the_shell_understands_are_cut_like_others(line: str) -> None:
    found = read([block("# @step: A", *line.split("\n"), "# @step: B", "b = 1")])
    assert segments(found) == [("A", line), ("B", "b = 1")]


def test_tags_and_annotation_are_configurable() -> None:
    reader = SegmentReader(CodeTags(code_begin="<py>", code_end="</py>", step_annotation="## Step ->"))
    found = [*reader.feed("<py>\n## Step -> A\na = 1\n#Step -> B\nb = 1</py>ok"), *reader.finish()]
    assert segments(found) == [("A", "a = 1"), ("B", "b = 1")]


@pytest.mark.parametrize("line", ["#@step: A", "#  @step:A", "# @step：A", "# @step: A  "])
def test_blanks_and_the_kind_of_colon_do_not_matter(line: str) -> None:
    assert steps(read([block(line, "a = 1")])) == ["A"]


@pytest.mark.parametrize("tag", ["<|code_output|>", "<|code_error|>"])
def test_output_that_a_model_makes_up_ends_the_turn_and_does_not_count(tag: str) -> None:
    for text in (
        f"Look.\n{block('# @step: A', 'x = 1')}\n{tag}\n42\n{tag}\nIt is 42.",
        f"Look.\n<|begin_code|>\n# @step: A\nx = 1\n{tag}\n42\n{tag}\nIt is 42.\n{block('y = 2')}",
    ):
        reader = SegmentReader()
        found = joined([*reader.feed(text), *reader.feed("more"), *reader.finish()])
        assert segments(found) == [("A", "x = 1")]
        assert words(found).strip() == "Look."
        assert found[-1] == InventedOutput()
        assert reader.text == text[: text.index(tag)]


def test_a_tag_of_outputs_within_a_string_is_code() -> None:
    code = "print('''\n<|code_output|>\n''')"
    assert segments(read([block(code)])) == [(None, code)]
