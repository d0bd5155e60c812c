import { withMinus } from "#app/ui/figures/with-minus.ts";
import { verdictOf } from "#app/ui/receipt/recompute-words.ts";
import { readFigures, recomputeReceipt } from "#core/mining/recompute-receipt.ts";

/** Recomputes a public receipt at the press of its button, in place: `[data-recompute]` holds its figures. */
export function enhanceRecompute(root: ParentNode): void {
  const place = root.querySelector<HTMLElement>("[data-recompute]");
  const button = place?.querySelector("button");
  const details = place?.querySelector<HTMLDetailsElement>("[data-steps]");
  const list = place?.querySelector("ol");
  const model = list?.querySelector("li");
  if (!place || !button || !details || !list || !model) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const steps = recomputeReceipt(readFigures(place.dataset["recompute"] ?? ""));
    const { agrees, words } = verdictOf(steps);
    say(place, "data-agrees", agrees ? words : null);
    say(place, "data-differs", agrees ? null : words);
    list.replaceChildren(
      ...steps.map((step) => {
        const row = model.cloneNode(true) as HTMLElement;
        say(row, "data-name", step.name);
        const code = row.querySelector("code");
        if (code) code.textContent = `${step.formula} = ${withMinus(step.computed)}`;
        say(row, "data-same", step.agrees ? "agrees" : null);
        say(
          row,
          "data-other",
          step.agrees ? null : `differs: the receipt says ${withMinus(step.stated)}`,
        );
        return row;
      }),
    );
    details.hidden = false;
  });
}

function say(place: HTMLElement, attribute: string, words: string | null): void {
  const element = place.querySelector<HTMLElement>(`[${attribute}]`);
  if (!element) return;
  element.hidden = words === null;
  element.textContent = words ?? "";
}
