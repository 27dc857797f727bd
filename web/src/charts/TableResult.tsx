import type { Table } from "../api/types";

/** A table of an answer. */
export function TableResult(_props: { table: Table }) {
  return null;
}
