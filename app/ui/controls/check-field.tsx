import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import { describedBy, FieldError, type FieldWords } from "./field.tsx";
import styles from "./fields.module.css";

interface CheckFieldProps extends FieldWords, Omit<InputHTMLAttributes<HTMLInputElement>, "type"> {
  label: ReactNode;
  type?: "checkbox" | "radio";
}

/** A box to tick, with its words next to it. */
export function CheckField({ label, description, error, ...props }: CheckFieldProps) {
  const made = useId();
  const { id = made, type = "checkbox", className, ...input } = props;
  return (
    <div className={[styles.check, className].filter(Boolean).join(" ")}>
      <input
        id={id}
        type={type}
        className={`${styles.tick} ${type === "radio" ? styles.round : ""}`}
        {...describedBy(id, { description, error })}
        {...input}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {description ? (
          <p id={`${id}-description`} className={styles.description}>
            {description}
          </p>
        ) : null}
        <FieldError id={id} name={input.name}>
          {error}
        </FieldError>
      </div>
    </div>
  );
}

interface ChoiceFieldProps {
  name: string;
  label: ReactNode;
  /** Whether several can be chosen. */
  several?: boolean;
  choices: readonly { value: string; label: ReactNode }[];
  chosen: readonly string[];
}

/** One of several, or several of them, that are all in view. */
export function ChoiceField({ name, label, several = false, choices, chosen }: ChoiceFieldProps) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{label}</legend>
      {choices.map((choice) => (
        <CheckField
          key={choice.value}
          type={several ? "checkbox" : "radio"}
          name={name}
          value={choice.value}
          label={choice.label}
          defaultChecked={chosen.includes(choice.value)}
        />
      ))}
    </fieldset>
  );
}
