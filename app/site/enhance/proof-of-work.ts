import { fetchProof } from "#app/ui/forms/fetch-proof.ts";

/**
 * Solves the contact form's challenge while a reader writes, so that pressing Send waits for nothing. When it cannot be had or
 * solved, the form goes without, under the stricter limits for forms without a script.
 */
export function enhanceProofOfWork(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-proof-of-work]")) {
    watch(form);
  }
}

/** Younger than the server's own limit, so that what was solved early is still good when it is sent. */
const goodForMs = 60 * 60_000;
/** Then the form goes without. */
const patienceMs = 20_000;

function watch(form: HTMLFormElement): void {
  const field = form.elements.namedItem("proof");
  const status = form.querySelector<HTMLElement>("[data-proof-status]");
  if (!(field instanceof HTMLInputElement)) return;
  let solving: Promise<string> | null = null;
  // One that the server handed back was solved within the last minutes.
  let solvedAt = field.value === "" ? Number.NEGATIVE_INFINITY : Date.now();

  const solve = () => {
    if (Date.now() - solvedAt < goodForMs) return null;
    solving ??= fetchProof()
      .then((proof) => {
        field.value = proof;
        solvedAt = Date.now();
        return proof;
      })
      .finally(() => {
        solving = null;
      });
    return solving;
  };

  form.addEventListener("focusin", () => void solve()?.catch(() => {}), { once: true });
  form.addEventListener("submit", (event) => {
    // own-errors.ts said what is missing.
    if (event.defaultPrevented) return;
    const pending = solve();
    if (!pending) return;
    event.preventDefault();
    if (status) status.textContent = "One moment: checking that you are not a robot.";
    void Promise.race([pending, late()])
      .catch(() => {})
      // Without the event, so that it is not asked for again.
      .then(() => form.submit());
  });
}

function late(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error("too late")), patienceMs);
  });
}
