from __future__ import annotations

import pytest
from tests.support.agent_bench import Bench, LocalSandbox, code, requests

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.agent.code.rules import LoopRules
from tablewright.domain.events import (
    CodeDelta,
    CodeFinished,
    RepairStarted,
    StepAnnounced,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    UsageReported,
    WarningRaised,
)
from tablewright.domain.language import Language
from tablewright.domain.task import AnalyzeTable, RepairStep, StepFacts, Summarize
from tablewright.errors import Busy, ModelSilent, SandboxLost, StepExhausted, StepsFailed, TablewrightError
from tablewright.models.base import ThinkingPiece, UsageSeen
from tablewright.models.scripted import Reply, ScriptedModel


def bench(*replies: Reply | str, sandbox: LocalSandbox | None = None, rules: LoopRules | None = None) -> Bench:
    return Bench(agent=CodeAnalyst(rules), model=ScriptedModel(replies), sandbox=sandbox or LocalSandbox())


async def test_a_question_is_answered_from_what_its_steps_put_out() -> None:
    agent_bench = bench("Let me sum.\n" + code(("Sum", "total = 40 + 2\nprint(total)\nresult = total")), "It is 42.")
    took = await agent_bench.ask()
    assert took.types == [
        "text.delta",
        "step.announced",
        "code.delta",
        "code.finished",
        "text.finished",
        "step.started",
        "output.text",
        "output.table",
        "step.finished",
        "text.delta",
        "text.finished",
        "answer.completed",
    ]
    assert took.answer.text == "It is 42."
    assert took.answer.outcome == "completed"
    assert took.answer.result is not None
    assert took.answer.result.rows == ((42,),)
    assert took.answer.table is None
    assert [(source.value, source.step_id) for source in took.answer.sources] == [(42, "id-0001")]
    assert agent_bench.sandbox.all_released


async def test_an_answer_without_code_leases_no_session() -> None:
    agent_bench = bench("Forty-two.")
    took = await agent_bench.ask()
    assert took.answer.text == "Forty-two."
    assert agent_bench.sandbox.sessions == []


async def test_state_persists_from_step_to_step_and_turn_to_turn() -> None:
    agent_bench = bench(code(("A", "x = 1"), ("B", "x += 1")), code(("C", "print(x)")), "2")
    took = await agent_bench.ask()
    assert took.statuses == [("A", "ok"), ("B", "ok"), ("C", "ok")]
    assert len(agent_bench.sandbox.sessions) == 1
    assert took.answer.text == "2"


async def test_the_dialogue_is_kept_as_the_model_reads_it() -> None:
    agent_bench = bench("First.\n" + code(("A", "print('one')"), ("B", "print('two')")), "Done.")
    took = await agent_bench.ask("What?")
    assert [message.role for message in took.transcript] == ["user", "assistant", "user", "assistant"]
    first, wrote, output, last = (message.text for message in took.transcript)
    assert first.startswith("# Task\nWhat?\n\n# Data\n")
    assert wrote == "First.\n" + code(("A", "print('one')"), ("B", "print('two')"))
    assert output == "<|code_output|>\none\ntwo\n<|code_output|>"
    assert last == "Done."
    asked = requests(agent_bench.model)[1]
    assert [message.role for message in asked.messages] == ["system", "user", "assistant", "user"]
    assert isinstance(asked.task, AnalyzeTable)
    assert [step.name for step in asked.task.progress] == ["A", "B"]
    assert [tool.name for tool in asked.tools] == ["ask_user", "decline"]


@pytest.mark.requirement("analyst-repairs-one-step")
async def test_a_failing_step_is_repaired_alone() -> None:
    agent_bench = bench(
        "Look.\n" + code(("A", "x = 1\nprint(x)"), ("B", "y = missing"), ("C", "z = 3")),
        code(("B again", "y = 2")),
        code(("C", "print(x + y)")),
        "3",
    )
    took = await agent_bench.ask()
    assert took.statuses == [("A", "ok"), ("B", "error"), ("C", "dropped"), ("B again", "ok"), ("C", "ok")]
    assert agent_bench.sandbox.executed == ["x = 1\nprint(x)", "y = missing", "y = 2", "print(x + y)"]
    assert took.only(RepairStarted).attempt == 1
    assert took.only(RepairStarted).error == "NameError: name 'missing' is not defined"
    assert (
        took.transcript[1].text
        == "Look.\n<|begin_code|>\n# @step: A\nx = 1\nprint(x)\n# @step: B\ny = missing\n<|end_code|>"
    )
    assert took.transcript[2].text == (
        "<|code_output|>\n1\n<|code_output|>\n"
        "<|code_error|>\nThe code failed. Fix it and write it again:\n\n"
        "NameError: name 'missing' is not defined\n\n"
        "Traceback:\nNameError: name 'missing' is not defined\n<|code_error|>"
    )
    repair = requests(agent_bench.model)[1]
    assert repair.purpose == "repair"
    assert isinstance(repair.task, RepairStep)
    assert repair.task.attempt == 1
    assert [(step.name, step.error is None) for step in repair.task.progress] == [("A", True), ("B", False)]
    assert [step.name for step in requests(agent_bench.model)[2].task.progress] == ["A", "B again"]


async def test_a_syntax_error_goes_back_to_the_model() -> None:
    agent_bench = bench(code(("A", "x = (")), code(("A", "x = 1")), "ok")
    took = await agent_bench.ask()
    assert took.statuses == [("A", "error"), ("A", "ok")]
    assert took.only(RepairStarted).error.startswith("SyntaxError")


async def test_a_step_is_repaired_so_often_and_then_the_run_fails() -> None:
    agent_bench = bench(*[code(("A", "1 / 0"))] * 4)
    with pytest.raises(StepsFailed) as failure:
        await agent_bench.ask()
    assert failure.value.params["step"] == "A"
    assert failure.value.params["attempts"] == 4
    assert [event.attempt for event in agent_bench.took.of(RepairStarted)] == [1, 2, 3]
    assert agent_bench.sandbox.all_released


@pytest.mark.requirement("analyst-repairs-bounded")
async def test_repairs_of_all_steps_together_are_bounded() -> None:
    failing, fixed = code(("A", "1 / 0")), code(("A", "x = 1"), ("B", "1 / 0"))
    agent_bench = bench(failing, fixed, fixed, fixed, fixed, fixed, fixed)
    with pytest.raises(StepsFailed):
        await agent_bench.ask()
    assert len(agent_bench.took.of(RepairStarted)) == 5


@pytest.mark.requirement("analyst-step-limit")
async def test_at_the_limit_of_steps_the_model_is_asked_for_its_conclusion() -> None:
    agent_bench = bench(*[code((f"S{number}", f"print({number})")) for number in range(3)], "So far: 2.")
    took = await agent_bench.ask(steps=3)
    assert took.answer.text == "So far: 2."
    assert took.answer.outcome == "completed"
    assert took.answer.stopped_by == "max_steps"
    last = requests(agent_bench.model)[-1]
    assert isinstance(last.task, Summarize)
    assert (last.purpose, last.tools, last.tool_choice) == ("conclude", (), "none")
    assert len(requests(agent_bench.model)) == 4


async def test_a_turn_that_goes_beyond_the_limit_is_stopped_and_what_is_left_runs() -> None:
    agent_bench = bench(code(*[(f"S{number}", f"print({number})") for number in range(5)]), "So far.")
    took = await agent_bench.ask(steps=3)
    assert took.started == ["S0", "S1", "S2"]
    assert took.answer.stopped_by == "max_steps"
    assert took.transcript[1].text == code(*[(f"S{number}", f"print({number})") for number in range(3)])


async def test_code_in_the_turn_that_concludes_is_not_run() -> None:
    agent_bench = bench(code(("A", "print(1)")), "It is 1.\n" + code(("B", "print(2)")))
    took = await agent_bench.ask(steps=1)
    assert took.answer.text == "It is 1."
    assert agent_bench.sandbox.executed == ["print(1)"]


async def test_repairs_do_not_count_as_steps() -> None:
    agent_bench = bench(code(("A", "1 / 0")), code(("A", "x = 1")), code(("B", "print(x)")), "1")
    took = await agent_bench.ask(steps=2)
    assert took.started == ["A", "A", "B"]
    assert [request.purpose for request in requests(agent_bench.model)] == ["analyze", "repair", "analyze", "conclude"]


@pytest.mark.parametrize("last", ["输出分析结论", "State the conclusion"])
async def test_a_concluding_step_ends_the_task_with_what_it_printed(last: str) -> None:
    agent_bench = bench("Finally.\n" + code(("A", "x = 7"), (last, "print(f'结论：{x}')")))
    took = await agent_bench.ask()
    assert took.answer.text == "结论：7"
    assert len(requests(agent_bench.model)) == 1


async def test_words_after_the_last_code_end_the_task() -> None:
    agent_bench = bench("Look.\n" + code(("A", "print(7)")) + "\n\n## Result\nIt is 7.\n")
    took = await agent_bench.ask()
    assert took.answer.text == "## Result\nIt is 7."
    assert took.only(TextFinished).text == "Look.\n\n## Result\nIt is 7."
    assert "".join(event.text for event in took.of(TextDelta)) == took.only(TextFinished).text


@pytest.mark.requirement("analyst-output-never-made-up")
async def test_output_that_the_model_makes_up_is_dropped_and_the_real_one_told() -> None:
    made_up = "\nThe output is:\n<|code_output|>\n999\n<|code_output|>\nIt is 999."
    agent_bench = bench("Look.\n" + code(("A", "print(7)")) + made_up, "It is 7.")
    took = await agent_bench.ask()
    assert took.answer.text == "It is 7."
    assert took.transcript[1].text == "Look.\n" + code(("A", "print(7)")) + "\nThe output is:"
    assert took.transcript[2].text == "<|code_output|>\n7\n<|code_output|>"
    assert "999" not in "".join(event.text for event in took.of(TextDelta))
    assert [event.method for event in took.of(UsageReported)] == ["estimate"]


@pytest.mark.parametrize(
    "hollow",
    ["<|begin_code|>\n\n<|end_code|>", "<|begin_code|>\n# @step: A\n# later\n<|end_code|>", "<|code_output|>\n9"],
)
async def test_a_turn_of_tags_alone_is_told_to_be_one_and_asked_for_again(hollow: str) -> None:
    agent_bench = bench(hollow, code(("A", "print(7)")), "It is 7.")
    took = await agent_bench.ask()
    assert took.answer.text == "It is 7."
    assert took.only(RepairStarted).error.startswith("NothingToRun: ")
    assert "NothingToRun: there is neither code nor an answer" in requests(agent_bench.model)[1].messages[-1].text
    with pytest.raises(StepsFailed):
        await bench(*[hollow] * 4).ask()


async def test_a_concluding_step_before_made_up_output_ends_the_task_with_what_it_printed() -> None:
    took = await bench(code(("State the conclusion", "print('It is 7.')")) + "\n<|code_output|>\nIt is 9.").ask()
    assert took.answer.text == "It is 7."


async def test_words_after_code_that_failed_do_not_end_the_task() -> None:
    agent_bench = bench(code(("A", "1 / 0")) + "\nIt is 7.", code(("A", "print(8)")), "It is 8.")
    assert (await agent_bench.ask()).answer.text == "It is 8."


async def test_code_without_an_annotation_is_a_step_with_a_general_name() -> None:
    took = await bench(code("print(1)"), "1").ask()
    assert [event.name for event in took.of(StepAnnounced)] == ["Run code"]


async def test_code_without_annotations_counts_as_a_step_each_turn() -> None:
    took = await bench(*[code("print(1)")] * 2, "1").ask(steps=2)
    assert took.answer.stopped_by == "max_steps"


async def test_steps_announced_within_another_end_with_it() -> None:
    took = await bench(code(("A", "if True:\n    # @step: inner\n    print(1)")), "1").ask()
    assert took.statuses == [("inner", "ok"), ("A", "ok")]


async def test_every_step_has_its_code_before_it_starts() -> None:
    took = await bench(code(("A", "a = 1"), ("B", "b = '''\n\n'''")), "ok").ask()
    for name, written in (("A", "a = 1"), ("B", "b = '''\n\n'''")):
        (step_id,) = (event.step_id for event in took.of(StepAnnounced) if event.name == name)
        assert "".join(event.text for event in took.of(CodeDelta) if event.step_id == step_id) == written
        assert [event.code for event in took.of(CodeFinished) if event.step_id == step_id] == [written]
        kinds = [event.type for event in took.events if event.step_id == step_id]
        assert kinds.index("code.finished") < kinds.index("step.started") < kinds.index("step.finished")


async def test_reasoning_and_usage_are_told() -> None:
    usage = UsageSeen(input_tokens=10, output_tokens=3)
    took = await bench(Reply.of(ThinkingPiece(text="hm"), "Hello.", usage)).ask()
    assert took.only(ThinkingDelta).text == "hm"
    assert took.only(UsageReported) == UsageReported(model="scripted:model", input_tokens=10, output_tokens=3)


async def test_code_that_the_model_was_cut_off_in_does_not_run() -> None:
    cut = Reply.of("<|begin_code|>\n# @step: A\nx = 1\n# @step: B\ny = 1", reason="length")
    agent_bench = bench(cut, code(("B", "y = 2")), "ok")
    took = await agent_bench.ask()
    assert agent_bench.sandbox.executed == ["x = 1", "y = 2"]
    assert took.statuses == [("A", "ok"), ("B", "error"), ("B", "ok")]
    assert took.only(RepairStarted).error.startswith("CodeIncomplete: ")


async def test_code_without_its_end_tag_runs_where_the_model_had_finished() -> None:
    agent_bench = bench("<|begin_code|>\n# @step: A\nx = 1\n", "ok")
    took = await agent_bench.ask()
    assert agent_bench.sandbox.executed == ["x = 1"]
    assert took.transcript[1].text == code(("A", "x = 1"))


async def test_a_conclusion_that_was_cut_off_carries_a_warning() -> None:
    took = await bench(Reply.of("It is", reason="length")).ask()
    assert took.only(WarningRaised).code == "answer_cut"
    assert took.answer.text == "It is"


async def test_a_model_that_says_nothing_is_an_error() -> None:
    with pytest.raises(ModelSilent):
        await bench("  \n").ask()


@pytest.mark.parametrize(
    ("ending", "error", "status"),
    [
        ("end('timeout_killed', session_lost=True)", StepExhausted, "timeout_killed"),
        ("end('interrupted')", StepExhausted, "interrupted"),
        ("end('oom')", StepExhausted, "oom"),
        ("end('oom_killed', session_lost=True)", StepExhausted, "oom_killed"),
        ("end('crashed', session_lost=True)", SandboxLost, "crashed"),
        ("end('exited', session_lost=True)", SandboxLost, "exited"),
        ("end('backend_lost', session_lost=True)", SandboxLost, "backend_lost"),
    ],
)
async def test_exhausted_resources_and_a_lost_sandbox_end_the_run(
    ending: str, error: type[TablewrightError], status: str
) -> None:
    agent_bench = bench(code(("A", "x = 1"), ("B", ending), ("C", "y = 1")))
    with pytest.raises(error) as failure:
        await agent_bench.ask()
    assert failure.value.params["status"] == status
    assert agent_bench.took.statuses == [("A", "ok"), ("B", "error"), ("C", "dropped")]
    assert agent_bench.sandbox.all_released


async def test_a_sandbox_that_gives_no_session_ends_the_run() -> None:
    agent_bench = bench(code(("A", "x = 1")), sandbox=LocalSandbox(problem=Busy(what="sandbox", waited_s=30)))
    with pytest.raises(Busy):
        await agent_bench.ask()


async def test_every_execution_has_the_time_limit_of_a_step() -> None:
    agent_bench = bench(code(("A", "x = 1")), "ok", rules=LoopRules(step_timeout_s=7))
    await agent_bench.ask()
    assert agent_bench.sandbox.timeouts == [7]


@pytest.mark.parametrize(("language", "heading"), [("zh", "# 任务\n"), ("en", "# Task\n")])
async def test_the_dialogue_is_in_the_language_of_the_question(language: Language, heading: str) -> None:
    took = await bench("ok").ask("?", language=language)
    assert took.transcript[0].text.startswith(heading)


async def test_what_a_step_put_out_is_told_as_facts() -> None:
    agent_bench = bench(code(("A", "print('a')\nresult = 5\nwrite('x.csv', b'1')\nfile('x.csv')")), "5")
    await agent_bench.ask()
    facts: StepFacts = requests(agent_bench.model)[1].task.progress[0]
    assert (facts.name, facts.text, facts.files, facts.error) == ("A", "a\n", ("x.csv",), None)
    assert facts.result is not None
    assert facts.result.rows == ((5,),)
