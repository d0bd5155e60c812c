import { terms } from "#core/terms.ts";

export interface RefusalWords {
  text: string;
  status: number;
  /** Whether the same file may pass a little later. */
  again?: boolean;
}

const megabytes = terms.slipMaxBytes / 1024 / 1024;

/** Why an uploaded file was not taken, and what to do about it; undefined when the code is about something else. */
export function fileRefusalWords(
  code: string,
  what: "slip" | "document" | "evidence" | "file",
): RefusalWords | undefined {
  return fileRefusals(what)[code];
}

/** The same by the refusals' codes. */
export function fileRefusals(
  what: "slip" | "document" | "evidence" | "file",
): Record<string, RefusalWords> {
  return {
    "files/more-than-one": { text: "Choose one file at a time.", status: 400 },
    "files/too-large": {
      text: `The file is larger than ${megabytes} MB. Send a smaller picture or a screenshot.`,
      status: 413,
    },
    "files/empty": { text: "The file is empty. Choose it again.", status: 400 },
    "files/unreadable-form": {
      text: "The upload was interrupted. Please try again.",
      status: 400,
      again: true,
    },
    "files/too-slow": {
      text: "The upload took longer than a minute, so it was stopped. What you typed is still here. Try again on a faster connection, or send a smaller picture.",
      status: 408,
      again: true,
    },
    "files/too-many-at-once": {
      text: "We are receiving too many files right now. Yours was not taken; what you typed is still here. Please try again in a minute.",
      status: 503,
      again: true,
    },
    "files/unknown-type": {
      text: `This is not a JPEG, PNG, WebP, HEIC or PDF file. Send a photo, a screenshot or a PDF of the ${what}.`,
      status: 400,
    },
    "files/misleading-name": {
      text: `The file's name ends like a program or a web page. Rename it, for instance to ${what}.jpg, and try again.`,
      status: 400,
    },
    "files/two-things-at-once": {
      text: `The file is more than a picture or a PDF: something else is hidden in it. Send a photo or a screenshot of the ${what}.`,
      status: 400,
    },
    "files/damaged": {
      text: "The file is damaged or incomplete. Save it again, or take a screenshot, and send that. A HEIC photo can be saved as JPEG in the phone's photo app.",
      status: 400,
    },
    "files/too-many-pixels": {
      text: "The picture has more than 50 megapixels. Send a smaller one or a screenshot.",
      status: 400,
    },
    "files/active-content": {
      text: "The PDF contains scripts, attachments or actions. Print it to a new PDF, or send a screenshot.",
      status: 400,
    },
    "files/encrypted": {
      text: "The PDF is protected, so it cannot be checked. Print it to a new PDF, or send a screenshot.",
      status: 400,
    },
    "files/too-large-inside": {
      text: "The PDF unpacks to far more than it seems. Print it to a new PDF, or send a screenshot.",
      status: 400,
    },
    "files/virus-found": {
      text: `The virus scanner found something harmful in this file, so we did not keep it. Send a new photo or a screenshot of the ${what}, and have the device checked that it comes from.`,
      status: 400,
    },
    "files/scanner-away": {
      text: "We check files for viruses, and the scanner does not answer at the moment. We did not keep the file; what you typed is still here. Please try again in a few minutes.",
      status: 503,
      again: true,
    },
    "files/storage-full": {
      text: "We have no room for files at the moment. Nothing was lost. Please try again later.",
      status: 507,
      again: true,
    },
    "files/storage-away": {
      text: "We cannot keep files at the moment. We did not keep this one; what you typed is still here. Please try again in a few minutes.",
      status: 503,
      again: true,
    },
    "platform/too-many-attempts": {
      text: "Too many uploads in a short time. Please try again in an hour.",
      status: 429,
      again: true,
    },
  };
}
