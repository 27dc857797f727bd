"""What structured rounds promise."""

from __future__ import annotations

from collections.abc import Mapping

STRUCTURED: Mapping[str, str] = {
    "structured-wire": "Every round of an analysis has its response, with the fields of its kind and no other.",
    "databases-told-within-tokens": "What a model is told of databases fits the tokens that there are for it.",
    "structured-report-streamed": "A report is shown while it is written, and once.",
    "facts-row-nouns": "A table that is called after its rows has their noun.",
    "real-model-honest": "Whatever a model writes, a run ends clearly, and numbers that it invents are marked.",
    "structured-calls-alone": "A call that fails, or that names no tool, fails alone, and the model is told why.",
    "structured-cancel": "A run that is stopped stops its calls at once and asks its model nothing more.",
    "structured-taken-up": "A run whose process is killed between rounds goes on in the next from where it was.",
    "structured-malformed": (
        "However a model misses the form, its answer is read, asked for once more, or told as no answer."
    ),
    "structured-prompts": "The system prompts are those of docs/prompts.md, of another file, or built in.",
    "structured-steps": "Step by step, a round's calls are made before it is told, and the next request goes on.",
    "structured-faults": "What cannot be answered is told in one form, with a code and a status that fit.",
    "structured-logs-whole": "Every line of every log is complete and as stored, also after kills, and has no secret.",
    "structured-scenarios": (
        "Analysis in rounds, code kept and read again, a chart: as JSON, streamed and step by step, with any model."
    ),
    "formula-guard-per-file": "Text that a spreadsheet program would run is guarded in csv, and per file it is not.",
    "formula-guard-told": "How many cells were guarded is told with the answer.",
    "report-questions-tried": (
        "The built-in analyst recommends only questions that it has answered with a result; a model's stay as written."
    ),
    "saved-code-run-again": "Code that was kept is run again as it stands, as a run of its conversation.",
    "saved-code-refused": "Code that cannot be run, or that fails, says why; nothing else is executed in its place.",
}
