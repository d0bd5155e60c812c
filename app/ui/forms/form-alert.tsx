import type { ReactNode } from "react";
import { Notice } from "../page/notice.tsx";

/** What is wrong with a form as a whole, announced to screen readers. */
export function FormAlert({
  errors,
  id,
}: {
  errors: readonly ReactNode[] | null | undefined;
  id?: string;
}) {
  if (!errors?.some(Boolean)) return null;
  return (
    <div id={id}>
      <Notice tone="error">{errors.join(" ")}</Notice>
    </div>
  );
}
