import { Notice } from "#app/ui/notice.tsx";

/** What is wrong with a form as a whole. There also when nothing is: a script may have something to say. */
export function FormWords({ errors }: { errors: readonly string[] }) {
  return (
    <div data-wrong>
      {errors.length > 0 ? <Notice tone="error">{errors.join(" ")}</Notice> : null}
    </div>
  );
}
