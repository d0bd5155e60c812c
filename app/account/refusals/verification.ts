import type { Texts } from "#app/run-act.ts";
import { fileRefusals } from "#app/ui/forms/file-refusal-words.ts";
import { terms } from "#core/terms.ts";

/** Why a step of the verification was not saved. */
export const verification: Texts = {
  ...Object.fromEntries(
    Object.entries(fileRefusals("document")).map(([code, said]) => [
      code,
      { ...said, field: "file" },
    ]),
  ),
  "files/none": { status: 400, field: "file", text: "Choose a file" },
  "verification/residence-refused": {
    status: 400,
    field: "country",
    text: "The service is not available to residents of the United States and its territories. Your answer is kept. If it was a mistake, choose the country you live in; whoever verifies you sees both answers.",
  },
  "verification/no-such-country": {
    status: 400,
    field: "country",
    text: "Choose a country from the list",
  },
  "verification/no-such-birthday": {
    status: 400,
    field: "dateOfBirth",
    text: "Nobody was born on this day. Enter it as year, month, day, for instance 1990-12-31",
  },
  "verification/too-young": {
    status: 400,
    field: "dateOfBirth",
    text: `You must be ${terms.minimumAge} or older to be verified`,
  },
  "verification/document-expired": {
    status: 400,
    field: "expiresOn",
    text: "This document has expired. Use one that is valid today",
  },
  "verification/under-review": {
    status: 409,
    text: "Your verification is being looked at, so nothing can be changed now. You get a mail when it is decided.",
  },
  "verification/not-open": {
    status: 409,
    text: "This part was accepted or is being looked at, so it cannot be changed now.",
  },
  "verification/incomplete": {
    status: 409,
    text: "Something is missing still, or was deleted because its time was over. The steps below say what.",
  },
  "verification/residence-unknown": {
    status: 409,
    text: "Say first which country you live in.",
  },
};
