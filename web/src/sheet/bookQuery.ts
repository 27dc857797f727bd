import { call, id } from "../api/client";
import { keys } from "../api/queries";
import type { Book } from "./types";

/** A workbook with the list of its sheets: there long before its outline. */
export const bookQuery = (name: string) => ({
  queryKey: [...keys.workbook(name), "sheets"],
  queryFn: () => call<Book>("GET", `workbooks/${id(name)}/sheets`),
  retry: false,
});
