import { useState } from "react";

interface FormKeyProps {
  name?: string;
  /** Of a form that is drawn for the first time. */
  fresh: string;
  /** After an answer that says that the one before stands for something else. */
  renewed?: string | null | undefined;
}

/**
 * The id under which what a form sends is done once. It stays as long as what is typed does: were it read anew with the page, a form
 * whose answer was lost would be done twice. A form that stays on its page once it is done needs a `key`.
 */
export function FormKey({ name = "submissionKey", fresh, renewed }: FormKeyProps) {
  const [key, setKey] = useState(fresh);
  if (renewed && renewed !== key) setKey(renewed);
  return <input type="hidden" name={name} value={key} />;
}
