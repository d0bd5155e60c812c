import { fetchProof } from "#app/ui/forms/fetch-proof.ts";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import type { Flash } from "#app/ui/toasts/flash.ts";
import { delays } from "#core/terms.ts";
import type { z } from "#core/zod.ts";
import type { Answer } from "../answer.ts";
import type { FormName } from "../auth-form.tsx";
import { awayWords, busyWords } from "../busy-terms.ts";
import { setUnderWay, whenShownAgain } from "./button.ts";
import { showToasts, showWrong } from "./words.ts";

/** The rules come when a reader begins to type: a reader who types nothing needs none. */
const rules: Record<FormName, () => Promise<Rules>> = {
  "sign-in": async () => (await import("../forms.ts")).signInForm,
  "sign-up": async () => (await import("../forms.ts")).signUpForm,
  "forgot-password": async () => (await import("../forms.ts")).forgotPasswordForm,
  "reset-password": async () => (await import("../forms.ts")).resetPasswordForm,
};

/**
 * Says what is wrong under a field once it has been touched, as soon as it is left, and sends the form without
 * leaving the page (`form[data-checked]`). The server decides all the same, and without a script the form goes on its own.
 */
export function enhanceCheckedForms(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-checked]")) watch(form);
}

function watch(form: HTMLFormElement): void {
  // What the server has found wrong was touched before.
  const wrong = fieldsOf(form).filter((field) => field.hasAttribute("aria-invalid"));
  const touched = new Set(wrong.map(({ name }) => name));
  let loading: Promise<Rules | null> | undefined;
  // When the rules cannot be had, the server's are enough.
  const load = () => {
    loading ??= rules[form.dataset["checked"] as FormName]().catch(() => null);
    return loading;
  };
  const check = async () => {
    const problems = problemsOf(await load(), form);
    showProblems(form, problems, touched);
    return problems;
  };
  form.addEventListener("focusin", () => void load(), { once: true });
  form.addEventListener("focusout", ({ target }) => {
    const field = fieldsOf(form).find((each) => each === target);
    if (!field) return;
    touched.add(field.name);
    void check();
  });
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && touched.has(target.name)) void check();
  });
  whenShownAgain(form);
  const early = fieldsOf(form).filter(isTouched);
  for (const { name } of early) touched.add(name);
  if (early.length > 0) void check();

  const send = async () => {
    for (const { name } of fieldsOf(form)) touched.add(name);
    if ((await check()).size > 0) return "refused";
    showWrong(form, []);
    const answer = await sendWithEffort(form);
    if (answer === "leaving") return "leaving";
    if (answer?.next !== undefined) {
      touched.clear();
      return goOn(form, answer.next, answer.said ?? []);
    }
    showRefusal(form, answer, touched);
    return "refused";
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.hasAttribute("aria-busy")) return;
    setUnderWay(form, true);
    void send().then((outcome) => {
      if (outcome === "leaving") return;
      setUnderWay(form, false);
      focusFirstWrong(form);
    });
  });
}

/** Whether someone has been at a field before this script came: left it (`data-left`), or filled it in and gone on. */
function isTouched(field: HTMLInputElement): boolean {
  if (field === document.activeElement) return false;
  const isFilled =
    field.type === "checkbox"
      ? field.checked !== field.defaultChecked
      : field.value !== field.defaultValue;
  return isFilled || field.hasAttribute("data-left");
}

/**
 * Sends the form. A busy site is sent it once more, with the solution of a task: nothing was looked at before, and what was typed
 * is still here. When that is not to be had either, the form notes since when it has waited.
 */
async function sendWithEffort(form: HTMLFormElement): Promise<Answer | null | "leaving"> {
  const answer = await sendForm(form);
  if (answer === null || answer === "leaving" || !answer.busy) return answer;
  setField(form, "waitingSince", answer.busy.waitingSince);
  const proof = await fetchProof().catch(() => null);
  if (proof === null) return answer;
  setField(form, "proof", proof);
  try {
    return await sendForm(form);
  } finally {
    // It serves once.
    setField(form, "proof", "");
  }
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}

/** It was done: the page says so, and goes on when the specification's wait is over. */
function goOn(form: HTMLFormElement, next: string, said: Flash[]): "leaving" {
  form.reset();
  showToasts(said);
  setTimeout(() => location.assign(next), said.length > 0 ? delays.signInRedirectMs : 0);
  return "leaving";
}

/** It was not done, or no one knows: what was typed stays, and it can be tried again. */
function showRefusal(
  form: HTMLFormElement,
  answer: Answer | null,
  touched: ReadonlySet<string>,
): void {
  if (answer?.busy) {
    showWrong(form, [busyWords.scripted], "warning");
    return;
  }
  const { "": formErrors, ...fields } = answer?.result?.error ?? {};
  const problems = Object.entries(fields).map(([name, words]) => [name, words?.[0] ?? ""] as const);
  showProblems(form, new Map(problems), touched);
  showWrong(form, answer ? (formErrors ?? []) : [noAnswer]);
  const failure = answer ? answer.failure : form.dataset["failure"];
  if (failure) showToasts([{ text: failure, tone: "error" }], toastMs(form));
}

const noAnswer = "No answer came. Check your connection, and try again.";

/** The specification's time for what is said about a reset; other words of these pages stay longer. */
function toastMs(form: HTMLFormElement): number {
  const resets: Array<string | undefined> = [
    "forgot-password",
    "reset-password",
  ] satisfies FormName[];
  return resets.includes(form.dataset["checked"]) ? delays.toastMs : delays.noticeToastMs;
}

type Rules = z.ZodMiniType;

/** What the rules have against what is typed in a form: for each field the first word. */
function problemsOf(rules: Rules | null, form: HTMLFormElement): Map<string, string> {
  const read = rules && parseForm(new FormData(form), { schema: rules });
  if (read?.status !== "error") return new Map();
  return new Map(Object.entries(read.error).map(([name, [word = ""]]) => [name, word]));
}

/** What a person fills in, in the order of the form. */
function fieldsOf(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.elements].filter(
    (field): field is HTMLInputElement =>
      field instanceof HTMLInputElement && field.name !== "" && field.type !== "hidden",
  );
}

/** Puts the words under those fields that have been touched, and takes them away from under the others. */
function showProblems(
  form: HTMLFormElement,
  problems: ReadonlyMap<string, string>,
  touched: ReadonlySet<string>,
): void {
  for (const field of fieldsOf(form)) {
    const words = (touched.has(field.name) && problems.get(field.name)) || "";
    if (words) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    const place = form.querySelector(`[data-error-of="${field.name}"]`);
    // Written only when it changes: a screen reader may be reading it.
    if (place && place.textContent !== words) place.textContent = words;
  }
}

/** Whoever sent the form is led to the first field to be mended, and hears what is wrong there. */
function focusFirstWrong(form: HTMLFormElement): void {
  fieldsOf(form)
    .find((field) => field.hasAttribute("aria-invalid"))
    ?.focus();
}

/**
 * Sends a form as the browser would, and gives what the action answered; null when nothing came back. A server or proxy in trouble
 * answers like an action whose database is away. What else answers in place of the form (a country that is not served, another
 * site's rules) is the browser's to show: the form is sent by it, and the page left.
 */
async function sendForm(form: HTMLFormElement): Promise<Answer | null | "leaving"> {
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(new FormData(form) as unknown as Record<string, string>),
    });
    const isAnswer = answer.headers.get("content-type")?.startsWith("application/json");
    if (isAnswer) return (await answer.json()) as Answer;
    if (answer.status >= 500) return awayAnswer(form);
    form.submit();
    return "leaving";
  } catch {
    return null;
  }
}

function awayAnswer({ dataset: { failure } }: HTMLFormElement): Answer {
  return {
    result: { initialValue: {}, error: { "": [awayWords] } },
    ...(failure && { failure }),
  };
}
