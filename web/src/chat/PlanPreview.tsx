import { Button, Text, UnstyledButton } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { changedCount } from "../sheet/changes";
import { Icon } from "../ui/Icon";
import { told } from "../ui/notices";
import { CellRows } from "./Rounds";
import { type Preview, type StepPreview, showPreviewed, usePreviewed } from "./usePreview";

/** Says what all steps come to, or offers to find it out. */
export function PreviewOffer({ preview }: { preview: Preview }) {
  const { t } = useTranslation();
  if (preview.offered)
    return (
      <Button size="compact-sm" variant="default" mb="xs" onClick={preview.ask}>
        {t("plan.previewCode")}
      </Button>
    );
  if (preview.looking)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t("plan.previewing")}
      </Text>
    );
  if (preview.failed)
    return (
      <Text size="sm" c="dimmed">
        {t("plan.noPreview", { why: preview.failed })}
      </Text>
    );
  return (
    <>
      {preview.all?.rolled_back && (
        <Text size="sm" className="red">
          {t("plan.wouldRollBack")}
        </Text>
      )}
      {preview.all?.warnings.map((warning) => (
        <Text key={`${warning.code}${JSON.stringify(warning.params)}`} size="sm" c="dimmed">
          {told(warning)}
        </Text>
      ))}
    </>
  );
}

/** What one step would change: a number that opens to the cells before and after, which the workbook marks then. */
export function StepChanges({
  preview,
  place,
  conversation,
}: {
  preview: Preview;
  place: number;
  conversation: string;
}) {
  const { t } = useTranslation();
  const step = preview.steps?.[place];
  const open = usePreviewed((state) => state.shown?.conversation === conversation && state.shown.step === place);
  if (!step) return null;
  if (step.error)
    return (
      <Text size="sm" className="red">
        {t("plan.wouldFail", { step: place + 1, why: told(step.error) })}
      </Text>
    );
  const listed = step.changes.filter((sheet) => sheet.cells.length > 0);
  const words = wordsOf(step, t);
  if (!listed.length)
    return (
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    );
  const turn = () =>
    showPreviewed(open ? null : { conversation, step: place, changes: step.in_place ? step.changes : [] });
  const count = listed.reduce((sum, sheet) => sum + sheet.cells.length, 0);
  return (
    <div className="changes">
      <UnstyledButton className="chip" aria-expanded={open} onClick={turn}>
        <Icon name="table" size={14} /> <span>{words}</span>
      </UnstyledButton>
      {open && listed.map((sheet) => <CellRows key={sheet.sheet} changes={sheet} named={listed.length > 1} />)}
      {open && !step.in_place && (
        <Text size="sm" c="dimmed">
          {t("plan.movedBefore")}
        </Text>
      )}
      {open && changedCount(step.changes).count > count && (
        <Text size="sm" c="dimmed">
          {t("round.moreCells", { count })}
        </Text>
      )}
    </div>
  );
}

function wordsOf(step: StepPreview, t: TFunction): string {
  const parts = step.shape.map(({ sheet, axis, count }) =>
    t(`plan.${axis}${count > 0 ? "Added" : "Removed"}`, { sheet, count: Math.abs(count) }),
  );
  const { count, words } = changedCount(step.changes);
  if (count) parts.unshift(t("plan.wouldChange", { count, cells: words }));
  if (parts.length) return parts.join(" · ");
  const areas = step.changes.filter((sheet) => sheet.range).map((sheet) => `${sheet.sheet} ${sheet.range}`);
  return areas.length ? t("plan.looksChange", { areas: areas.join(", ") }) : t("plan.nothingChanges");
}
