import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../ui/Icon";

/** The whole window takes files. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const brings = (event: DragEvent) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const above = (event: DragEvent) => {
      if (!brings(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent) => {
      if (!brings(event)) return;
      event.preventDefault();
      setOver(false);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener("dragover", above);
    addEventListener("dragleave", left);
    addEventListener("drop", dropped);
    return () => {
      removeEventListener("dragover", above);
      removeEventListener("dragleave", left);
      removeEventListener("drop", dropped);
    };
  }, [onFiles]);
  if (!over) return null;
  return (
    <div className="drop-over" aria-hidden="true">
      <Icon name="file" size={40} />
      <span>{t("start.release")}</span>
    </div>
  );
}
