import { formatAge } from "#app/ui/figures/format-time.ts";

const everyMs = 5_000;

/**
 * Keeps the ages on the page true for as long as it is open: `<time data-age-ms>`, the age when the page was
 * made. It counts from there, whatever the reader's clock says.
 */
export function enhanceAges(root: ParentNode): void {
  const times = [...root.querySelectorAll<HTMLElement>("time[data-age-ms]")];
  if (times.length === 0) return;
  setInterval(() => {
    const openMs = performance.now();
    for (const time of times) {
      const ageMs = Number(time.dataset["ageMs"]) + openMs;
      time.textContent = formatAge(new Date(0), new Date(ageMs));
    }
  }, everyMs);
}
