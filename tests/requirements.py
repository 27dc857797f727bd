"""What Tablewright promises, by the page that says it: a test marked with an id proves that promise.

`@pytest.mark.requirement("run-cancel-within-a-second")` stands on the test; `tests/unit/test_requirements.py` sees to
it that every promise is proven and that every marker names a promise."""

from __future__ import annotations

from collections.abc import Mapping

from tests.requirements_mcp import MCP
from tests.requirements_structured import STRUCTURED
from tests.requirements_wires import WIRES
from tests.requirements_workbooks import EDIT_WORKBOOKS
from tests.requirements_workflows import WORKFLOWS

PROMISES: Mapping[str, Mapping[str, str]] = {
    "docs/how-it-works.md": {
        "run-answers-a-question": "A question becomes a run that ends with its answer.",
        "question-stored-first": "A question is stored before any of its files is opened, and outlives its connection.",
        "run-one-at-a-time": "A conversation works on one question at a time, and says so.",
        "run-token-limit": "A run that has used up its tokens ends as limited.",
        "run-time-limit": "A run that has used up its time ends as limited.",
        "run-cancel-within-a-second": "A run is stopped within a second.",
        "run-cancel-under-way": "A run whose end takes longer is said to be cancelling until it has ended.",
        "run-cancel-from-any-process": "Any process on the same database can stop a run.",
        "run-independent-of-watchers": "A run goes on whoever watches it or leaves.",
        "run-orphan-is-ended": (
            "The run of a process that died is ended clearly at the next start; its conversation goes on."
        ),
        "runs-are-taken-over": (
            "A tree of runs that can be taken over goes on when its process closes or dies: nothing lost or doubled."
        ),
        "sessions-go-on": (
            "A later request of a client's session goes on with its history and plan; one that comes twice has one run."
        ),
        "packages-add-agents-and-tools": "A package of somebody's own adds an agent or a tool without touching ours.",
        "agents-with-tools": "One agent, or several by a plan, work with tools: with a language model and without one.",
        "plans-are-taken-over": "A plan goes on when its process dies; no task that had ended is done again.",
        "run-of-a-live-process-is-left-alone": "A process that starts leaves the runs of a live one alone.",
        "run-waits-for-answers": "A run that has asked waits without holding anything.",
        "run-first-answer-stands": "The first answer to a request stands; the same again is no error, another one is.",
        "run-closes-clearly": "A service that closes ends its runs with the reason.",
        "events-without-gaps": "The events of a run are numbered without gaps, and the last is its end.",
        "events-compacted": "An hour after its end a run is told in fewer events that say the same.",
        "events-large-by-reference": "A large event is kept as a blob, and read as any other.",
        "events-same-for-every-watcher": "Who comes and goes sees exactly what one who stayed saw.",
        "events-deltas-coalesced": "Pieces of text wait for each other at most 50 ms.",
        "full-disk-can-be-cleared": (
            "On a full disk files and conversations can be deleted, and their space comes back."
        ),
        "store-full-disk-keeps-the-log": "A full disk is said, and what was written stays whole.",
        "store-files-are-private": "The database and the blobs are readable by the service's user alone.",
        "store-upgrades-earlier-forms": "A database of every earlier form comes up to date with what it holds.",
        "store-scoped-by-tenant": "No statement reaches the database without its tenant.",
        "store-owner-scoped": "What belongs to another owner does not exist.",
        "files-formulas-computed": "Formulas without stored values are read with the values that they give.",
        "store-failed-upload-leaves-nothing": "A file that cannot be read leaves nothing behind.",
        "analyst-step-by-step": "A step runs while the next is still being written.",
        "analyst-repairs-one-step": "A step that fails is repaired alone; what had run is kept.",
        "analyst-repairs-bounded": "Repairs are bounded, of one step and of all together.",
        "analyst-step-limit": "At the limit of steps the answer says what is known so far.",
        "stopped-run-hands-over": "A run that is stopped hands over the files that were finished until then.",
        "analyst-output-never-made-up": "Output that a model makes up is dropped, and the real one is told.",
        "figures-marked-in-rounds": "What a model says of a workbook is marked where it has neither read nor found it.",
        "analyst-unverified-numbers-told": "A number in the answer that no step put out is told as unverified.",
        "unsure-is-offered": "Of several likely readings up to three are offered; the chosen one is done.",
        "choice-is-remembered": "What was chosen for a question holds when it is asked again, until it is removed.",
        "notes-with-consent": "A note is kept only with its owner's word, and seen and deleted by its owner alone.",
        "words-are-taught": "Words of a tenant stand for columns, values, tests or formulas in all its questions.",
        "analyst-declines-with-suggestions": "A refusal says what was understood, why, and what can be asked.",
        "analyst-read-alike-however-cut": "What a model writes reads the same however its stream is cut.",
        "analyst-plans-changes": "Changes of a workbook are planned from plain words, in Chinese and English.",
        "analyst-asks-for-what-is-missing": (
            "Where one thing is missing in a wish it is asked for, and the answer completes it."
        ),
        "analyst-names-what-it-could-not-read": "A wish that is understood in part is not planned; the part is named.",
        "analyst-corrects-rejected-plans": "Words that reject a plan correct it.",
        "analyst-retries-as-the-reason-tells": "A step that failed is planned anew as its reason tells, once.",
        "eval-changes-workbooks": (
            "A case that is checked as a workbook is a change of it, and its answer the changed file."
        ),
        "analyst-answers-both-questions": "Two questions in one are read as both, and answered or offered together.",
        "analyst-leaves-nothing-out": "Readings that leave words of the question out are offered or declined.",
        "analyst-suggestions-understood": "Every question that is suggested is one that is understood.",
        "analyst-no-model-library": "Without a model, no library of models is loaded.",
        "data-facts-agree-with-pandas": "What is known of a file agrees with what pandas loads from it.",
        "data-hostile-files-refused": "A bad file is refused by its kind of badness.",
        "data-readers-bounded": "A file that needs too much memory is refused, and the next one is read.",
        "data-readers-fair": "A small file of one owner does not wait for the large ones of another.",
        "data-readers-replaced": "A reader that dies while it starts is replaced.",
        "data-downloads-public-only": "No private address is ever fetched.",
        "rounds-nothing-before-consent": "Nothing of a plan is executed before it was confirmed.",
        "rounds-confirmed-is-executed": "What is executed is what was confirmed, edits included.",
        "rounds-edited-plan-checked": (
            "An edited plan that cannot be is refused with its step, and the request stays open."
        ),
        "rounds-rejected-with-words": "Words against a plan lead to another, three times at most.",
        "rounds-steps-are-watched": (
            "While a batch is applied, each step is told as it begins, and each has its own time."
        ),
        "rounds-retry-failed-alone": "Fewer than half failed steps are tried again, alone.",
        "rounds-consent-for-what-destroys": "A destructive step that was not confirmed just so asks again.",
        "rounds-plan-read-whole": "A plan is read whole or not at all.",
        "rounds-changed-workbook-planned-anew": "A workbook that somebody changed is read and planned anew.",
        "rounds-plan-outlives-a-kill": "A plan whose execution was cut off can be confirmed again as it stood.",
        "rounds-limit": "At the limit of rounds the run ends, saying so.",
        "rounds-plain-changes-only": "In auto, only what plainly asks for a change goes to who changes workbooks.",
        "export-from-the-command-line": "A run is exported from the command line as a notebook or a script.",
        "export-same-output": "The script and the notebook of a run print what the run printed.",
    },
    "docs/decisions/0010-a-session-is-one-jailed-fork.md": {
        "sandbox-attacks-contained": "Every known attack is contained, and no other session notices.",
        "sandbox-attacks-contained-without-root": "Attacks are contained for a user without privileges too.",
        "sandbox-refuses-weak-isolation": "Where isolation is weaker than is demanded, nothing runs.",
        "sandbox-nothing-survives-the-service": "No process of the sandbox survives a service that is killed.",
        "sandbox-stop-ends-every-process": "Stopping ends running code and every process.",
        "sandbox-zygote-replaced": "A zygote that dies is replaced, and its sessions are told as lost.",
        "sandbox-long-steps-tell": "A step that takes long says how far it has come, or that it still runs.",
        "sandbox-cut-is-said": "What was too much to be shown is said to be left out, in the reader's language.",
        "sandbox-compose-runs": "The service of the compose file runs code in containers beside it.",
        "sandbox-sick-workers-replaced": "A worker that does not answer is replaced at the next look.",
        "sandbox-queue-bounded": (
            "Who waits for a sandbox waits in a bounded queue, first come first served, and is told when it is full."
        ),
        "sandbox-imports-named": "Code may import what the settings name; a refused import names the list.",
        "sandbox-faults-leave-nothing": "Sessions with random faults leave no process, file or memory.",
        "sandbox-reasons-in-both-languages": "Why no code can run is told in Chinese and English, with the remedy.",
        "sandbox-failed-start-is-retried": "A sandbox that did not start is tried again by the next who needs it.",
    },
    "docs/decisions/0011-a-conversation-keeps-its-session.md": {
        "sandbox-slot-survives-removal": "Whatever a session leaves behind, its slot in the pool is given back.",
        "sandbox-disk-bounded": "What a session keeps on disk is bounded, with or without a name.",
        "sandbox-locks-bind-nobody": "What a session locks is locked for nobody else.",
        "sandbox-readiness-of-the-pool": "Where no worker can be started, the service says that it is not ready.",
        "sandbox-parked-sessions-yield": "A parked session is never why somebody waits.",
        "conversation-keeps-variables": "Code of the next question sees the variables of earlier ones.",
        "conversation-variables-come-back": (
            "Where the session is gone, its variables are made again before they are needed."
        ),
        "conversation-lost-variables-told": (
            "Variables that cannot be made again are told as lost, and the run goes on."
        ),
        "conversation-deleted-with-its-session": "A conversation that is deleted leaves no session.",
        "conversation-files-handed-over-once": "A file under output/ is handed over by the run that wrote it, once.",
        "export-goes-on-from-earlier": (
            "The export of a run that takes up earlier variables makes them first, silently."
        ),
        "mcp-session-per-call": "A call over MCP has a session of its own.",
    },
    "docs/decisions/0012-versions-share-their-parts.md": {
        "rounds-execute-once": "A plan that was executed is not executed again, whoever asks again.",
        "rounds-failed-steps-change-nothing": "A step that fails changes nothing and does not stop the others.",
        "rounds-new-errors-undo-the-batch": "New errors of formulas undo the whole batch, and are named.",
        "rounds-code-in-the-sandbox": "Code in a plan runs in the sandbox alone, on a frame of the range.",
        "versions-restore-the-bytes": "Undo and redo restore a version byte for byte.",
        "versions-share-equal-parts": "Twenty versions of a large workbook cost little more than their changes.",
        "versions-survive-a-killed-process": (
            "A process killed at any moment leaves whole versions, and each plan executed once."
        ),
        "versions-second-writer-is-told": (
            "Of two who write at once, the second is told and nothing of the first is lost."
        ),
        "runs-see-the-head": "A question after an edit is asked of the edited workbook.",
        "versions-rollback-by-request": (
            "A round, an edit or a whole plan is undone by its request, with what came after."
        ),
    },
    "docs/reference/settings.md": {
        "model-keys": "A key of a provider is written by an operator, sealed, used from then on, and never told.",
        "model-tests": "A test of a model calls it, and says how long it took or what to do.",
        "models-stream-piece-by-piece": "Each piece of a model's answer arrives before the next is sent.",
        "models-failures-told-apart": "What a provider's status means is told apart.",
        "models-refused-schemas": "An endpoint that refuses the schema of an answer is asked once more without it.",
        "models-keys-never-repeated": "No key is ever repeated in an error.",
        "models-cut-streams-told": "An answer that was cut is never taken for a whole one.",
        "models-cut-before-code-retried": (
            "A stream that is cut before any code ran is tried again, and nothing is shown twice."
        ),
        "models-sdk-loaded-ahead": (
            "What a configured provider needs is loaded before its first question, and otherwise never."
        ),
        "models-retried": "What may pass is tried again, with growing waits.",
        "models-alike-through-every-provider": "A conversation is the same through every provider.",
        "models-found-but-not-shown": (
            "Keys in the environment are offered by the variable's name, their values never shown."
        ),
        "models-missing-key-named": "A key that is missing is named by its setting, before anything is sent.",
        "models-cancel-closes-connection": "Stopping a call closes its connection.",
        "settings-documented": "Every setting is documented, and no other.",
        "settings-order": "An option wins over the environment, which wins over files.",
    },
    "docs/reference/api.md": {
        "events-resume": "A reader that comes back with the last id misses nothing.",
        "events-stream-on-asking": "Who asks for an event stream gets the run's events at once.",
        "slow-clients-keep-nobody-out": "Clients that keep the service waiting take the place of nobody else.",
        "api-contract-holds": "Whatever is sent, the service answers as its document says.",
        "export-html-is-safe-and-whole": "A run is taken away as one document that shows all of it and runs nothing.",
        "api-every-route-documented": "Every route is documented with its answers.",
        "api-every-code-documented": "Every code of an error is documented with its status.",
        "api-errors-in-callers-language": "Errors come in the caller's language.",
        "api-errors-in-conversations-language": "Errors to who names no language come in that of the conversation.",
        "api-lists-paged": "Lists are paged.",
        "workbook-edits-over-http": "What is edited over HTTP is a version that can be undone and redone.",
        "api-wrong-requests-explained": "What is wrong in a request is said by field, in plain words.",
        "security-foreign-page": "A page from elsewhere reaches no route.",
        "security-foreign-form": "What a foreign form could send is refused.",
        "security-key-off-loopback": "Off loopback nothing is served without a key.",
        "security-owners-apart": "Keys of different owners see different things.",
        "security-keys-not-stored": "A key is written nowhere; its file is private.",
        "security-page-policy": "The page loads nothing but its own files.",
    },
    "docs/reference/metrics.md": {
        "metrics-of-what-happens": (
            "Runs, steps, models, the sandbox, files, requests and the disk are told to Prometheus."
        ),
    },
    **WIRES,
    "docs/reference/structured.md": STRUCTURED,
    "docs/reference/workflows.md": WORKFLOWS,
    "docs/reference/excel.md": {
        "excel-conversation": "Talk is answered without a plan.",
        "excel-first-round-plans-only": "A wish becomes a plan, and nothing is executed.",
        "excel-empty-plan": "Nothing to do is no error.",
        "excel-executed-batch": "An executed batch is told with its steps, its changes and what to show anew.",
        "excel-few-failures-are-retried": "Where fewer than half of the steps failed, a retry follows.",
        "excel-half-failed-ends": "Where half of the steps failed, the work ends.",
        "excel-question": "A question is asked by its words, and answered under its id.",
        "excel-failing-model": "A model that fails is told with its cause, in the request's language.",
        "excel-limit-of-rounds": "The limit of rounds is told in its words.",
        "excel-newest-plan-is-meant": "Without an id the newest plan that was not executed is meant.",
        "excel-kept-per-message": "Events and response are kept under the client's ids.",
        "excel-empty-rejection-is-no-consent": "A rejection without words is never taken for consent.",
        "excel-told-history": (
            "The history that a client tells is that of the plan that comes next, where the service has none of its "
            "own."
        ),
        "excel-undone-is-no-progress": "A round that was undone is not counted as progress when the work goes on.",
        "excel-undo-exact": "Undo and redo restore the file byte for byte.",
        "excel-unchanged-values-keep-formulas": "A value that a client has not changed never replaces a formula.",
        "excel-stale-client-undoes-nothing": "A client that has not refreshed undoes nothing.",
        "excel-edit-of-moved-cells-refused": (
            "A client that does not know that rows have moved writes into no other row."
        ),
        "excel-second-writer-replans": "Where another wrote meanwhile, the plan is made anew and asked about.",
        "excel-whole-example": (
            "A chart and the top three highlighted are planned, executed and undone, in Chinese and English."
        ),
        "excel-goes-on-without-its-client": "A client that leaves stops nothing; who asks meanwhile is told.",
        "excel-channels-of-owners-apart": "Channels of different owners are apart, whatever they are called.",
        "excel-plans-outlive-the-service": "A plan can be confirmed after the service was started anew.",
        "excel-event-order": "The events come in their order, in the request's language.",
        "excel-thinking-two-forms": "Pieces of thinking are sent, their sum is stored.",
        "excel-exception-ends-the-node": "An exception ends the node with its message.",
    },
    "docs/quickstart.md": {
        "cli-ask-shows-steps": "`ask` shows its steps, its table and its chart.",
        "cli-ask-chinese": "A Chinese question is answered in Chinese.",
        "cli-ask-json": "`ask --json` prints the result and nothing else.",
        "cli-help-instant": "Help loads nothing that an answer needs.",
        "cli-doctor": "`doctor` says what works on this machine.",
        "cli-eval-continues": "`eval` goes on where it stopped.",
        "cli-config-shows-sources": "`config show` says where each value is from and covers secrets.",
        "cli-terminal-safe": "Nothing in a text can drive the terminal.",
        "page-finds-its-way-back": (
            "The page comes back to a run whose connection broke, to earlier conversations and questions, and to what "
            "was asked elsewhere."
        ),
        "bad-input-file": "A file that cannot be used is named with the remedy, in one line.",
        "bad-input-password": "A file with a password is told so.",
        "bad-input-huge-file": "A file that is too large is refused before it is read.",
        "bad-input-wrong-use": "Wrong use of the command is told with the remedy.",
        "bad-input-missing-column": "A question about a column that is not there is declined with what is there.",
        "bad-input-model-unreachable": "A model that cannot be reached is named with the way out.",
        "bad-input-model-unknown-first": "A model that nobody knows is told before a file is read.",
        "bad-input-no-sandbox": "Without a sandbox nothing runs, and the reason is told.",
        "bad-input-configuration": "A broken configuration names the file, the setting and what would fit.",
        "bad-input-database": "A database that does not answer is told without its password.",
        "bad-input-damaged-database": (
            "A damaged database, and files without their database, are told when the service starts."
        ),
        "bad-input-full-disk": "A full disk is told with the setting that helps.",
        "bad-input-port": "A port in use is told with the way to another.",
    },
    "docs/howto/edit-workbooks.md": EDIT_WORKBOOKS,
    "docs/howto/mcp.md": MCP,
}
"""Page → id → promise."""
IDS = frozenset(name for promises in PROMISES.values() for name in promises)
