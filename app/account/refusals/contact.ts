import { notFound, type Said, sayFrom, type Texts } from "#app/run-act.ts";
import { fileRefusals } from "#app/ui/forms/file-refusal-words.ts";
import type { Refusal } from "#core/refusal.ts";
import { comeBackLater } from "#server/platform/rate-limit.ts";
import { filesTooLarge, tooManyFiles } from "../messages/message-schema.ts";

/** Why a message was not sent. */
export const contact: Texts = {
  ...Object.fromEntries(
    Object.entries(fileRefusals("file")).map(([code, { text, status }]) => [
      code,
      ofFiles(text, status),
    ]),
  ),
  "files/too-many": ofFiles(tooManyFiles, 400),
  "files/too-large": ofFiles(filesTooLarge, 413),
  "contact/no-such-thread": notFound,
};

function ofFiles(text: string, status: number) {
  return { field: "files", text: `${text} Nothing was sent.`, status };
}

const say = sayFrom(contact);

/** What is said of a message that was not sent; of a limit, when to come back. */
export function sayMessage(now: Date): (refusal: Refusal) => Said | undefined {
  return (refusal) => {
    const later = comeBackLater(refusal, now, "nothing was sent");
    return later ? { ...later, text: later.words } : say(refusal);
  };
}
