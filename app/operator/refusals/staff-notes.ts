import { notFound, type Texts } from "#app/run-act.ts";
import { meanwhile } from "./meanwhile.ts";

export const staffNotes: Texts = {
  "staff-notes/no-such-customer": notFound,
  "staff-notes/words-missing": "Write something first.",
  "staff-notes/too-long": "The text is too long. Shorten it.",
  "staff-notes/flag-stands": meanwhile(
    "This flag is raised already. Lift it first, or let it end.",
  ),
  "staff-notes/not-a-span": "Choose how long the flag stays.",
  "staff-notes/no-such-flag": "Choose from the list.",
};
