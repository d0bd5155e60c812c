import { commaWords, hasOddComma } from "#core/decimal.ts";
import { z } from "#core/zod.ts";

/** A text that is read into something else; null from `parse` makes `wrong` its error, and emptiness `missing`. */
export function parsed<T>(missing: string, parse: (text: string) => T | null, wrong: string) {
  return z.pipe(
    z.string(missing),
    z.transform((text, context): T => {
      const value = parse(text);
      if (value !== null) return value;
      context.issues.push({
        code: "custom",
        message: hasOddComma(text) ? commaWords : wrong,
        input: text,
      });
      return z.NEVER;
    }),
  );
}

/** PostgreSQL's texts have no place for this character, and nobody types it. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}
