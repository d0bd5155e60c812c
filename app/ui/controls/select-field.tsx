import { type SelectHTMLAttributes, useId } from "react";
import { describedBy, Field, type FieldWords } from "./field.tsx";
import styles from "./fields.module.css";

interface Choice {
  value: string;
  label: string;
  disabled?: boolean;
}

export type Choices = readonly (string | Choice | { group: string; items: readonly Choice[] })[];

interface SelectFieldProps extends FieldWords, SelectHTMLAttributes<HTMLSelectElement> {
  choices: Choices;
}

/** One of several, as the system shows them. */
export function SelectField({ label, description, error, choices, ...props }: SelectFieldProps) {
  const made = useId();
  const { id = made, className, ...select } = props;
  return (
    <Field
      id={id}
      label={label}
      description={description}
      error={error}
      className={className}
      name={select.name}
    >
      <select
        id={id}
        className={`${styles.input} ${styles.select}`}
        {...describedBy(id, { description, error })}
        {...select}
      >
        {choices.map((choice) =>
          typeof choice === "object" && "group" in choice ? (
            <optgroup key={choice.group} label={choice.group}>
              {choice.items.map(optionOf)}
            </optgroup>
          ) : (
            optionOf(choice)
          ),
        )}
      </select>
    </Field>
  );
}

function optionOf(choice: string | Choice) {
  const { value, label, disabled } =
    typeof choice === "string" ? { value: choice, label: choice, disabled: false } : choice;
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  );
}
