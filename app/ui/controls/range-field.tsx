import { type InputHTMLAttributes, useId } from "react";
import { describedBy, Field, type FieldWords } from "./field.tsx";
import styles from "./range-field.module.css";
import { rangeWords } from "./range-words.ts";

interface RangeFieldProps
  extends FieldWords,
    Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "min" | "max" | "step" | "defaultValue"> {
  min: number;
  max: number;
  step: number;
  defaultValue: number;
  /** Behind the figure: "%". */
  unit?: string;
  /** Whether a plus sign is before what is above zero. */
  signed?: boolean;
}

/** A figure on a scale. Keyboard, form and forced colours are the browser's own; a script keeps the figure next to it true. */
export function RangeField({ label, description, error, unit = "", ...props }: RangeFieldProps) {
  const made = useId();
  const { id = made, className, signed = false, min, max, step, ...input } = props;
  const show = (value: number) => rangeWords(value, { unit, signed });
  return (
    <Field
      id={id}
      description={description}
      error={error}
      className={className}
      name={input.name}
      label={
        <span className={styles.label}>
          <span>{label}</span>
          <span aria-hidden="true" data-figure-of={id}>
            {show(input.defaultValue)}
          </span>
        </span>
      }
    >
      <input
        id={id}
        type="range"
        className={styles.range}
        min={min}
        max={max}
        step={step}
        data-unit={unit}
        data-signed={signed || undefined}
        aria-valuetext={show(input.defaultValue)}
        {...describedBy(id, { description, error })}
        {...input}
      />
      <span className={styles.ends} aria-hidden="true">
        <span>{show(min)}</span>
        <span>{show(max)}</span>
      </span>
    </Field>
  );
}
