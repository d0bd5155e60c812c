import { TextField } from "#app/ui/controls/text-field.tsx";

interface FactorCodeFieldProps {
  name: string;
  /** Without an authenticator app only recovery codes are left. */
  hasApp: boolean;
}

/** Takes the code of an authenticator app, or a recovery code. */
export function FactorCodeField({ name, hasApp }: FactorCodeFieldProps) {
  return (
    <TextField
      name={name}
      label={hasApp ? "Code" : "Recovery code"}
      description={hasApp ? "The six digits of your authenticator app, or a recovery code" : null}
      autoComplete="one-time-code"
      required
      maxLength={100}
    />
  );
}
