import { ActionIcon, Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import type { StoredFile } from "../api/types";
import { Elapsed } from "../ui/Elapsed";
import { tableSize } from "../ui/format";
import { Icon } from "../ui/Icon";
import { tried } from "../ui/say";

/** The files of a conversation, above the composer. */
export function FilesBar({ files, progress }: { files: StoredFile[]; progress: string }) {
  const { t } = useTranslation();
  const remove = async (file: StoredFile) => {
    if (!confirm(t("files.removeSure", { name: file.name }))) return;
    await tried(call("DELETE", `files/${id(file.id)}`));
    client.invalidateQueries({ queryKey: ["files"] });
    client.invalidateQueries({ queryKey: ["workbook"] });
  };
  if (!files.length && !progress) return null;
  return (
    <div>
      {files.length > 0 && (
        <ul id="chips" className="chips" aria-label={t("data.files")}>
          {files.map((file) => (
            <li key={file.id} className="chip">
              <Icon name="file" size={14} />
              <span>{file.name}</span>
              <span className="quiet">{sizeOf(file, t)}</span>
              <ActionIcon
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={t("files.remove", { name: file.name })}
                onClick={() => remove(file)}
              >
                <Icon name="cross" size={12} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div role="status" className="quiet">
        {progress && (
          <>
            <Loader size={12} aria-hidden="true" /> {progress} <Elapsed />
          </>
        )}
      </div>
    </div>
  );
}

function sizeOf(file: StoredFile, t: ReturnType<typeof useTranslation>["t"]): string {
  const [only, second] = file.sheets;
  if (second) return t("files.sheets", { count: file.sheets.length });
  return only ? tableSize(only.rows, only.columns.length, t) : "";
}
