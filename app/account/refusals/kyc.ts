import type { Texts } from "#app/run-act.ts";
import { fileRefusals } from "#app/ui/forms/file-refusal-words.ts";
import { terms } from "#core/terms.ts";

/** Why a step of the verification was not saved. */
export const kyc: Texts = {
  ...Object.fromEntries(
    Object.entries(fileRefusals("document")).map(([code, said]) => [
      code,
      { ...said, field: "file" },
    ]),
  ),
  "files/none": { status: 400, field: "file", text: "Choose a file" },
  "kyc/residence-refused": {
    status: 400,
    field: "country",
    text: "The service is not available to residents of the United States and its territories. We keep your answer. If it was a mistake, choose the country you live in: the staff who verify you see both answers.",
  },
  "kyc/no-such-country": {
    status: 400,
    field: "country",
    text: "Choose a country from the list",
  },
  "kyc/no-such-birthday": {
    status: 400,
    field: "dateOfBirth",
    text: "This is not a possible date of birth. Enter year, month, day, for instance 1990-12-31",
  },
  "kyc/too-young": {
    status: 400,
    field: "dateOfBirth",
    text: `You must be ${terms.minimumAge} or older to be verified`,
  },
  "kyc/document-expired": {
    status: 400,
    field: "expiresOn",
    text: "This document has expired. Use one that is valid today",
  },
  "kyc/under-review": {
    status: 409,
    text: "We are checking your verification. Nothing was changed. We e-mail you when we have decided.",
  },
  "kyc/not-open": {
    status: 409,
    text: "We have accepted this part or are checking it, so you cannot change it now.",
  },
  "kyc/incomplete": {
    status: 409,
    text: "A step is missing, or we deleted it because its time was over. Nothing was submitted. The steps below show which.",
  },
  "kyc/residence-unknown": {
    status: 409,
    text: "First, tell us which country you live in.",
  },
};
