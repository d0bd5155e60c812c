import { isDeepStrictEqual } from "node:util";
import { Refusal } from "#core/refusal.ts";

/**
 * Whether a form has arrived before under the id that it brought along. `sent` is what is there under that id, `said` what the form
 * says now.
 *
 * @throws Refusal `platform/sent-otherwise`, or the given one, where the form said something else before
 */
export function sentBefore<Row extends object>(
  sent: Row | undefined,
  said: Partial<Row>,
  otherwise?: string,
): sent is Row {
  if (!sent) return false;
  if (!isDeepStrictEqual({ ...sent, ...said }, sent)) {
    throw new Refusal(otherwise ?? "platform/sent-otherwise");
  }
  return true;
}
