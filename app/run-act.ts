import { data, redirect } from "react-router";
import { type FlashKey, flash } from "#app/ui/toasts/flash.ts";
import { Refusal } from "#core/refusal.ts";

/** Where one goes after an act, and the toast there. */
export interface ActResult {
  to: string;
  say?: FlashKey;
  /** Set-Cookie values, of an act that changes the session. */
  cookies?: string[];
}

/** What a refusal says: the answer's status, and a text for a field or for the form as a whole. */
export interface Said {
  status: number;
  text: string;
  field?: string;
  headers?: Record<string, string>;
  /** Said above the page, not in its form, which may be gone from it by now. */
  meanwhile?: true;
}

/** Finds what a section says of a refusal; undefined where it has no text, and the refusal is a fault of ours. */
export type Say = (refusal: Refusal) => Said | undefined;

/** A section's texts by a refusal's code. A text alone is for the form as a whole and answers with 400. */
export type Texts = Readonly<Record<string, string | (Omit<Said, "status"> & { status?: number })>>;

/** In a section's texts: what is asked for is not there. */
export const notFound = { status: 404, text: "Not Found" };

/** In a section's texts: it does not fit what is so by now, which the page shows (`readAfterConflict`). */
export const conflict = (text: string) => ({ text, status: 409 });

type Data<Answer> = ReturnType<typeof data<Answer>>;

/**
 * Does what a form asks for, then leads on with a toast. A refusal becomes the page's answer, made by `refused` from the
 * section's text for it; without a text it is thrown on, as every other error is.
 */
export async function runAct<Answer, Other = never>(
  act: () => Promise<ActResult | Response | Data<Other>>,
  refused: (said: Said, refusal: Refusal) => Answer | Promise<Answer>,
  say: Say,
): Promise<Response | Data<Other> | Data<Answer>> {
  return unlessRefused(
    async () => {
      const done = await act();
      return "to" in done ? leadOn(done) : done;
    },
    async (refusal) => {
      const said = say(refusal);
      if (!said) throw refusal;
      const { status, headers = {}, text } = said;
      if (status === 404) throw data(null, { status, statusText: "Not Found" });
      if (!said.meanwhile) return data(await refused(said, refusal), { status, headers });
      const answer = await refused({ ...said, text: "" }, refusal);
      return data({ ...answer, meanwhile: text }, { status, headers });
    },
  );
}

/** Does what may be refused, and answers a refusal; every other error is thrown on. */
export async function unlessRefused<Result, Answer>(
  act: () => Promise<Result>,
  refused: (refusal: Refusal) => Answer | Promise<Answer>,
): Promise<Result | Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(error);
  }
}

/** Goes to a page that says what was done. */
export async function leadOn({ to, say, cookies = [] }: ActResult): Promise<Response> {
  const headers = new Headers();
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  if (say) headers.append("Set-Cookie", await flash(say));
  return redirect(to, { headers });
}

/** Looks a refusal's code up in a section's texts. */
export function sayFrom(texts: Texts): Say {
  return ({ code }) => {
    const found = Object.hasOwn(texts, code) ? texts[code] : undefined;
    if (found === undefined) return undefined;
    return typeof found === "string"
      ? { status: 400, text: found }
      : { ...found, status: found.status ?? 400 };
  };
}

/** What a form with fields is told: at the field, or at its head where this form has no such field. */
export function errorsOf(
  { field, text }: Said,
  form: { has(name: string): boolean },
): { fieldErrors?: Record<string, string[]>; formErrors?: string[] } {
  return field !== undefined && form.has(field)
    ? { fieldErrors: { [field]: [text] } }
    : { formErrors: [text] };
}
