/**
 * A form that could not be taken yet, on its way through a page that asks for something first: the answer holds every
 * field, and sending it on is sending the form. Passwords are not repeated in a page: they are typed once more.
 */
export interface ResumedForm {
  /** Where the form was going: path and query of its page. */
  action: string;
  fields: Array<[name: string, value: string]>;
  /** Files, which no page can put back into a file field; each is a hidden field `resumedFile`. */
  files: ResumedFile[];
  /** Fields that held passwords. */
  passwords: string[];
  /** Files that are too large to be carried: they are chosen once more. */
  tooLarge: Array<{ field: string; name: string }>;
}

export interface ResumedFile {
  field: string;
  name: string;
  type: string;
  base64: string;
}

/** The hidden field that holds a resumed file, and the parameter that says that a form has some. */
export const resumedFile = "resumedFile";

/** What a confirmed form says besides its own fields: a code, or what an authenticator answered, and to which question. */
export const confirmFields = {
  code: "confirmCode",
  passkey: "confirmPasskey",
  asked: "confirmAsked",
} as const;
