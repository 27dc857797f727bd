import { Autocomplete, type OptionsFilter } from "@mantine/core";
import { useState } from "react";

interface ColumnProps {
  label: string;
  value: string;
  columns: string[];
  onChange: (value: string) => void;
}
/** What is typed narrows the columns; what was there before does not. */
export function ColumnField({ columns, onChange, ...shared }: ColumnProps) {
  const [typing, setTyping] = useState(false);
  const asIs: OptionsFilter = ({ options }) => options;
  return (
    <Autocomplete
      {...shared}
      data={columns}
      filter={typing ? undefined : asIs}
      onDropdownClose={() => setTyping(false)}
      onOptionSubmit={() => setTyping(false)}
      onInput={() => setTyping(true)}
      onChange={onChange}
    />
  );
}
