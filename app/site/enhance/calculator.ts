import { rangeWords } from "#app/ui/controls/range-words.ts";

const pauseMs = 250;

/**
 * Calculates while a reader moves a slider or types (`form[data-calculator]`): asks for the page of these figures, and puts its
 * results, and what it says under the fields, in place of the old ones.
 */
export function enhanceCalculator(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>("form[data-calculator]");
  if (!form) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;

  const calculate = async () => {
    clearTimeout(timer);
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    const address = `/calculator?${new URLSearchParams(textsIn(form))}`;
    const answer = await fetch(address, { signal });
    if (!answer.ok) throw new Error(`the calculator answered ${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (signal.aborted) return;
    takeOver(page);
    history.replaceState(history.state, "", address);
  };
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "range") showFigure(target);
    clearTimeout(timer);
    // What cannot be had now is calculated at the button's press.
    timer = setTimeout(() => void calculate().catch(() => {}), pauseMs);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    calculate().catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === "AbortError")) form.submit();
    });
  });
}

function textsIn(form: HTMLFormElement): [string, string][] {
  return [...new FormData(form)].map(([name, value]) => [name, String(value)]);
}

function showFigure(range: HTMLInputElement): void {
  const { unit = "", signed } = range.dataset;
  const words = rangeWords(range.valueAsNumber, { unit, signed: signed !== undefined });
  range.setAttribute("aria-valuetext", words);
  const figure = range.labels?.[0]?.querySelector("[data-figure-of]");
  if (figure) figure.textContent = words;
}

function takeOver(page: Document): void {
  for (const part of ["answer", "detail"]) {
    const next = page.querySelector(`[data-calculated="${part}"]`);
    const place = document.querySelector(`[data-calculated="${part}"]`);
    if (next && place) place.replaceChildren(...next.childNodes);
  }
  for (const error of document.querySelectorAll<HTMLElement>("[data-calculator] [data-error-of]")) {
    const words = page.getElementById(error.id)?.textContent ?? "";
    error.textContent = words;
    const field = document.getElementById(error.id.replace(/-error$/, ""));
    if (words === "") field?.removeAttribute("aria-invalid");
    else field?.setAttribute("aria-invalid", "true");
  }
}
