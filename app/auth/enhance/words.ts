import type { Flash } from "#app/ui/toasts/flash.ts";
import { delays } from "#core/terms.ts";
import { aroundContactPage, contactPage } from "../contact-page.ts";

/** Says something at the top right: `template[data-toasts]`. */
export function showToasts(said: Flash[], stayMs: number = delays.noticeToastMs): void {
  const place = document.querySelector("[data-toast-place]");
  const toasts = copyOf("template[data-toasts]");
  if (!place || !toasts || said.length === 0) return;
  toasts.style.setProperty("--toast-stays", `${stayMs}ms`);
  toasts.append(...said.map(noticeOf));
  toasts.addEventListener("animationend", () => toasts.remove());
  // What was said before is in the same place.
  for (const old of document.querySelectorAll("[data-flashes]")) old.remove();
  place.replaceChildren(toasts);
}

/** What is wrong with a form as a whole, at its head (`[data-wrong]`). */
export function showWrong(
  form: HTMLFormElement,
  words: readonly string[],
  tone: "error" | "warning" = "error",
): void {
  const place = form.querySelector("[data-wrong]");
  const notice = noticeOf({ tone, text: words.join(" ") });
  notice.setAttribute("role", "alert");
  place?.replaceChildren(...(words.length > 0 ? [notice] : []));
}

function noticeOf({ tone, text }: Flash): HTMLElement {
  const notice = copyOf(`template[data-notice="${tone}"]`) ?? document.createElement("p");
  (notice.lastElementChild ?? notice).replaceChildren(...linked(text));
  return notice;
}

function linked(text: string): Array<Node | string> {
  const around = aroundContactPage(text);
  if (!around) return [text];
  const link = document.createElement("a");
  link.href = contactPage.href;
  link.textContent = contactPage.words;
  return [around[0], link, around[1]];
}

/** The server has drawn what scripts may show: so its style is in the page, and its words are not. */
function copyOf(selector: string): HTMLElement | null {
  const template = document.querySelector<HTMLTemplateElement>(selector);
  return (template?.content.firstElementChild?.cloneNode(true) ?? null) as HTMLElement | null;
}
