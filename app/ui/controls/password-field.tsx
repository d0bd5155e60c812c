import { useId } from "react";
import { Eye, EyeOff } from "#app/ui/icons.tsx";
import styles from "./fields.module.css";
import { toggleReveal } from "./reveal-password.ts";
import { TextField, type TextFieldProps } from "./text-field.tsx";

interface PasswordFieldProps extends Omit<TextFieldProps, "label" | "type" | "unit" | "icon"> {
  label: string;
}

/** A password, which can be looked at while it is typed. */
export function PasswordField(props: PasswordFieldProps) {
  const made = useId();
  const { id = made, label, ...rest } = props;
  return (
    <TextField
      {...rest}
      id={id}
      label={label}
      type="password"
      unit={
        <button
          type="button"
          className={styles.reveal}
          data-reveal={id}
          aria-label={`Show ${label}`}
          aria-pressed="false"
          aria-controls={id}
          onClick={({ currentTarget }) => toggleReveal(currentTarget)}
        >
          <Eye size={18} aria-hidden="true" />
          <EyeOff size={18} aria-hidden="true" />
        </button>
      }
    />
  );
}
