import {
  Button,
  Fieldset,
  Input,
  JsonInput,
  NativeSelect,
  NumberInput,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import i18n from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schema } from "../api/types";
import { ColumnField } from "./ColumnField";
import { blank, type Choices, type Field, fieldOf, lacks, typed } from "./fields";

interface Props {
  name: string;
  schema: Schema;
  root: Schema;
  value: unknown;
  required: boolean;
  choices: Choices;
  /** Whether what is needed and not there is told. */
  checked?: boolean;
  onChange: (value: unknown) => void;
}
type Drawn = Props & { field: Field; error: string | undefined };
/** What a parameter is called: a word of the person's language where there is one. */
const words = (name: string, schema: Schema) =>
  i18n.exists(`param.${name}`) ? i18n.t(`param.${name}` as "param.sheet") : (schema.title ?? name.replace(/_/g, " "));
/** The schema's own descriptions are in English. */
const described = (schema: Schema) => (i18n.language === "en" ? schema.description : undefined);

/** A parameter of a step as a field made from its schema; columns and sheets are chosen from those of the workbook. */
export function SchemaField(props: Props) {
  const { t } = useTranslation();
  const { schema, root, value } = props;
  const field = fieldOf(schema, root);
  const error = props.checked && props.required && lacks(value, schema, root) ? t("plan.required") : undefined;
  if (field.kind === "object") return <ObjectField {...props} schema={field.schema} />;
  if (field.kind === "list") return <ListField {...props} field={field} error={error} />;
  return <SimpleField {...props} field={field} error={error} />;
}

function SimpleField({ name, schema, value, required, choices, onChange, field, error }: Drawn) {
  const { t } = useTranslation();
  const shared = { label: words(name, schema), description: described(field.schema), withAsterisk: required, error };
  const text =
    value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  const given = (entered: string) => onChange(entered === "" && field.optional ? null : entered);
  switch (field.kind) {
    case "column":
      return <ColumnField {...shared} value={text} columns={choices.columns} onChange={given} />;
    case "sheet":
      return (
        <NativeSelect
          {...shared}
          value={text}
          data={[{ value: "", label: t("plan.none") }, ...choices.sheets]}
          onChange={(event) => given(event.currentTarget.value)}
        />
      );
    case "choice": {
      const all = (field.schema.enum ?? []).map(String);
      const data = field.optional && !all.includes(text) ? [{ value: "", label: t("plan.none") }, ...all] : all;
      return (
        <NativeSelect {...shared} value={text} data={data} onChange={(event) => given(event.currentTarget.value)} />
      );
    }
    case "flag":
      return (
        <Switch
          label={words(name, schema)}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "number":
      return (
        <NumberInput
          {...shared}
          value={text === "" ? "" : Number(text)}
          onChange={(entered) => onChange(entered === "" ? null : Number(entered))}
        />
      );
    case "json":
      return <JsonField {...shared} value={value} onChange={onChange} />;
    case "value":
      return <TextInput {...shared} value={text} onChange={(event) => onChange(typed(event.currentTarget.value))} />;
    case "lines":
      return (
        <Textarea
          {...shared}
          value={text}
          autosize
          minRows={2}
          maxRows={16}
          onChange={(event) => given(event.currentTarget.value)}
        />
      );
    default:
      return <TextInput {...shared} value={text} onChange={(event) => given(event.currentTarget.value)} />;
  }
}

interface JsonProps {
  label: string;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}
function JsonField({ label, value, error, onChange }: JsonProps) {
  const [text, setText] = useState(JSON.stringify(value ?? null));
  const [wrong, setWrong] = useState(false);
  const changed = (entered: string) => {
    setText(entered);
    try {
      onChange(JSON.parse(entered));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <JsonInput
      label={label}
      value={text}
      onChange={changed}
      autosize
      minRows={1}
      maxRows={6}
      error={wrong ? "JSON" : error}
    />
  );
}

function ObjectField({ name, schema, root, value, choices, checked, onChange }: Props) {
  const known = (value ?? {}) as Record<string, unknown>;
  return (
    <Fieldset legend={words(name, schema)} p="xs">
      <Fields schema={schema} root={root} values={known} choices={choices} checked={checked} onChange={onChange} />
    </Fieldset>
  );
}

function ListField({ name, schema, root, value, required, choices, checked, onChange, field, error }: Drawn) {
  const { t } = useTranslation();
  const items = Array.isArray(value) ? value : [];
  const item = field.schema.items ?? {};
  const inner = fieldOf(item, root);
  if (inner.kind !== "object") {
    const data = inner.kind === "column" ? choices.columns : inner.kind === "sheet" ? choices.sheets : [];
    const read = (texts: string[]) => onChange(inner.kind === "number" ? texts.map(Number) : texts);
    return (
      <TagsInput
        label={words(name, schema)}
        withAsterisk={required}
        value={items.map(String)}
        data={data}
        onChange={read}
        error={error}
      />
    );
  }
  const put = (place: number, entered: unknown) => onChange(items.map((each, at) => (at === place ? entered : each)));
  return (
    <Fieldset legend={words(name, schema)} p="xs">
      <Stack gap="xs">
        {items.map((each, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own
          <div key={place} className="list-entry">
            <Fields
              schema={inner.schema}
              root={root}
              values={(each ?? {}) as Record<string, unknown>}
              choices={choices}
              checked={checked}
              onChange={(entered) => put(place, entered)}
            />
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              onClick={() => onChange(items.filter((_, at) => at !== place))}
            >
              {t("plan.removeItem")}
            </Button>
          </div>
        ))}
        <Button size="compact-xs" variant="default" onClick={() => onChange([...items, blank(item, root)])}>
          {t("plan.addItem")}
        </Button>
        <Input.Error>{error}</Input.Error>
      </Stack>
    </Fieldset>
  );
}

interface FieldsProps {
  schema: Schema;
  root: Schema;
  values: Record<string, unknown>;
  choices: Choices;
  checked?: boolean;
  onChange: (values: Record<string, unknown>) => void;
}

/** The fields of an object: those that it needs or has at once, the others on demand. */
export function Fields({ schema, root, values, choices, checked, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const names = Object.keys(schema.properties ?? {});
  const needed = new Set(schema.required ?? []);
  const set = (name: string) => name in values && values[name] !== null;
  const first = names.filter((name) => needed.has(name) || set(name));
  const shown = all ? names : first;
  return (
    <Stack gap="xs">
      {shown.map((name) => (
        <SchemaField
          key={name}
          name={name}
          schema={schema.properties?.[name] ?? {}}
          root={root}
          value={values[name] ?? schema.properties?.[name]?.default}
          required={needed.has(name)}
          choices={choices}
          checked={checked}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
      {!all && first.length < names.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
          {t("plan.more")}
        </Button>
      )}
    </Stack>
  );
}
