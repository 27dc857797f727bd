import { Alert, Button, Group, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import type { Cell, Round, SheetChanges } from "../api/types";
import type { RunView } from "../run/view";
import { changedCount } from "../sheet/changes";
import { areaOf } from "../sheet/refs";
import { shown } from "../ui/format";
import { Icon } from "../ui/Icon";
import { told } from "../ui/notices";
import { note, tried } from "../ui/say";
import { useStanding } from "./useStanding";

const CELLS = 100;

/** What rounds on a workbook came to: their steps, what they changed, and how to take it back. */
export function Rounds({ view }: { view: RunView }) {
  return view.rounds.map((round) => <RoundBox key={round.id} round={round} question={view.question} />);
}

function RoundBox({ round, question }: { round: Round; question: string }) {
  const { t } = useTranslation();
  const stands = useStanding(round);
  const done = round.rolled_back
    ? []
    : round.steps.filter((result) => result.status === "completed").map((result) => result.step);
  const undo = async () => {
    if (stands === "earlier" && !confirm(t("round.undoLater"))) return;
    const back = await tried(call("POST", `workbooks/${id(round.workbook_id)}/undo`, { request_id: round.id }));
    if (!back) return;
    note(t("round.undone"));
    for (const part of ["workbook", "versions", "files"]) client.invalidateQueries({ queryKey: [part] });
  };
  return (
    <div className="round">
      <ol className="round-steps">
        {round.steps.map((result) => (
          <li key={result.step.step} className={result.status === "completed" ? "ok" : "error"}>
            <span className="sign">
              <Icon name={result.status === "completed" ? "check" : "cross"} size={15} />
            </span>
            <span>
              {result.step.description || result.step.function}{" "}
              <span className="quiet">{t(`round.${result.status}`)}</span>
              {result.error && <span className="red"> · {told(result.error)}</span>}
              {result.notes.map((each) => (
                <span key={each.code} className="quiet">
                  {" · "}
                  {told(each)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
      {round.rolled_back && <Alert color="orange">{t("round.rolledBack")}</Alert>}
      {round.warnings.map((warning) => (
        <Text key={warning.code} size="sm" c="dimmed">
          {told(warning)}
        </Text>
      ))}
      {round.changes
        .filter((changes) => changes.cells.length > 0)
        .map((changes) => (
          <Changes key={changes.sheet + changes.range} changes={changes} moved={onlySorted(round)} />
        ))}
      {done.length > 0 && (
        <Group gap={4} mt={4}>
          {stands && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              disabled={stands === "undone"}
              leftSection={<Icon name="undo" size={14} />}
              onClick={undo}
            >
              {t(stands === "undone" ? "round.undone" : "round.undo")}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<Icon name="download" size={14} />}
            onClick={() => tried(savePlan(round, question))}
          >
            {t("round.savePlan")}
          </Button>
        </Group>
      )}
    </div>
  );
}

async function savePlan(round: Round, request: string): Promise<void> {
  const steps = round.steps.filter((result) => result.status === "completed").map((result) => result.step);
  const plan = await call("POST", `workbooks/${id(round.workbook_id)}/plan-file`, { steps, version: 1, request });
  const url = URL.createObjectURL(new Blob([JSON.stringify(plan, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "plan.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Whether a round has only put rows in another order. */
function onlySorted(round: Round): boolean {
  const changing = round.steps.filter((result) => result.status === "completed" && result.cells_changed > 0);
  return changing.length > 0 && changing.every((result) => result.step.function === "sort_rows");
}

/** What changed on a sheet, told in a line and cell by cell; of rows that only `moved`, which ones. */
export function Changes({ changes, moved = false }: { changes: SheetChanges; moved?: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const changed = changedCount([changes]);
  const rows = moved ? areaOf(changes.range) : null;
  return (
    <div className="changes">
      <UnstyledButton className="chip" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="table" size={14} />{" "}
        {rows
          ? t("round.moved", { sheet: changes.sheet, first: rows.top, last: rows.bottom })
          : t("round.changed", {
              count: changed.count,
              sheet: `${changes.sheet} ${changes.range}`,
              cells: changed.words,
            })}
      </UnstyledButton>
      {open && <CellRows changes={changes} />}
      {open && (changes.truncated || changes.cells.length > CELLS) && (
        <Text size="sm" c="dimmed">
          {t("round.moreCells", { count: Math.min(CELLS, changes.cells.length) })}
        </Text>
      )}
    </div>
  );
}

/** Cells of a sheet before and after. */
export function CellRows({ changes, named = false }: { changes: SheetChanges; named?: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="scroll cell-rows" tabIndex={0} role="group" aria-label={changes.sheet}>
      <table className="plain">
        {named && <caption>{changes.sheet}</caption>}
        <thead>
          <tr>
            <th scope="col">{t("round.cell")}</th>
            <th scope="col">{t("round.before")}</th>
            <th scope="col">{t("round.after")}</th>
          </tr>
        </thead>
        <tbody>
          {changes.cells.slice(0, CELLS).map((cell) => (
            <tr key={cell.ref}>
              <th scope="row">{cell.ref}</th>
              <Value cell={cell.before} />
              <Value cell={cell.after} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ cell }: { cell: Cell }) {
  const { t } = useTranslation();
  if (cell === null || cell === "") return <td className="quiet">{t("round.empty")}</td>;
  return <td className={typeof cell === "number" ? "number" : ""}>{shown(cell)}</td>;
}
