import type { Answer } from "../answer.ts";
import { awayWords } from "../busy-terms.ts";

/**
 * Sends a form as the browser would, and gives what the action answered; null when nothing came back. A server or proxy in trouble
 * answers like an action whose database is away. What else answers in place of the form (a country that is not served, another
 * site's rules) is the browser's to show: the form is sent by it, and the page left.
 */
export async function sendForm(form: HTMLFormElement): Promise<Answer | null | "leaving"> {
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
