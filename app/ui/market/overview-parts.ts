import type { Stretch } from "#core/markets/market-overview.ts";
import { changeWords } from "./price-words.ts";

export const noHistory =
  "There is no price history of this coin yet. We draw only measured prices.";

/** Writes an overview's figures as a sentence and a table; without months the table stays as it is. */
export function writeFigures(root: HTMLElement, sentence: string, months: Stretch[] | null): void {
  const words = root.querySelector("[data-overview-sentence]");
  if (words && words.textContent !== sentence) words.textContent = sentence;
  if (months) root.querySelector("[data-overview-months]")?.replaceChildren(...months.map(row));
}

/** From the first choice on the sentence is spoken when it changes: no one asked for the chart that came with the page. */
export function speakFrom(root: HTMLElement): void {
  root.querySelector("[data-overview-sentence]")?.setAttribute("aria-live", "polite");
}

function row({ label, open, highest, lowest, close, change }: Stretch): HTMLTableRowElement {
  const element = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = label;
  const cells = [open, highest, lowest, close, changeWords(change).text].map((text) => {
    const cell = document.createElement("td");
    cell.textContent = text;
    return cell;
  });
  element.append(head, ...cells);
  return element;
}

/** Says whether the figures are a demo's. */
export function markSimulated(root: HTMLElement, simulated: boolean): void {
  const mark = root.querySelector<HTMLElement>("[data-overview-simulated]");
  if (mark) mark.hidden = !simulated;
}

/** Marks the chosen coin and range, and lets every link lead to what it would show next to the other choice. */
export function markChosen(root: HTMLElement, chosen: { asset: string; range: string }): void {
  const { page = "" } = root.dataset;
  for (const link of root.querySelectorAll<HTMLAnchorElement>("[data-overview-choice]")) {
    const { overviewChoice, value = "" } = link.dataset;
    const wanted =
      overviewChoice === "asset" ? { ...chosen, asset: value } : { ...chosen, range: value };
    const isChosen = wanted.asset === chosen.asset && wanted.range === chosen.range;
    if (isChosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.href = overviewAddress(page, wanted);
  }
}

/** Where an overview of that coin and range stands, for a browser that runs no script. */
export function overviewAddress(
  page: string,
  { asset, range }: { asset: string; range: string },
): string {
  return `${page}?coin=${asset}&range=${range}#overview`;
}
