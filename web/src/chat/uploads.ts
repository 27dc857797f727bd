import { useState } from "react";
import { useTranslation } from "react-i18next";
import { id, sendFile } from "../api/client";
import { client, keys } from "../api/queries";
import type { StoredFile } from "../api/types";
import { fault } from "../ui/say";

const LARGE_BYTES = 1024 ** 2;

/** Sends files to a conversation, one after the other; one that cannot be read keeps none of the others from coming. */
export function useUploads(): {
  progress: string;
  send: (files: File[], conversation: string) => Promise<StoredFile[]>;
} {
  const { t } = useTranslation();
  const [progress, setProgress] = useState("");
  const send = async (files: File[], conversation: string) => {
    const arrived: StoredFile[] = [];
    for (const file of files) {
      const told = (share: number) =>
        setProgress(
          share < 1
            ? t("files.sending", { name: file.name, percent: Math.floor(share * 100) })
            : t("files.reading", { name: file.name }),
        );
      told(file.size < LARGE_BYTES ? 1 : 0);
      const target = conversation ? `&conversation_id=${id(conversation)}` : "";
      try {
        arrived.push(await sendFile<StoredFile>(`files?tables=optional${target}`, file, told));
      } catch (error) {
        fault(error);
      }
    }
    setProgress("");
    client.invalidateQueries({ queryKey: ["files"] });
    client.invalidateQueries({ queryKey: keys.workbook(conversation) });
    return arrived;
  };
  return { progress, send };
}
