import { closeDropdowns } from "#app/ui/browser/close-dropdowns.ts";
import { enhanceCopyFields } from "#app/ui/figures/enhance-copy-fields.ts";
import { formatAge } from "#app/ui/figures/format-time.ts";
import { showHints } from "#app/ui/figures/hints.ts";
import { keepPricesLive } from "#app/ui/market/keep-prices-live.ts";
import { enhanceColourScheme } from "#app/ui/theme/enhance-colour-scheme.ts";
import { enhanceCalculator } from "./calculator.ts";
import { enhanceCarousel } from "./carousel.ts";
import { enhanceFaqSearch } from "./faq-search.ts";
import { enhanceOwnErrors } from "./own-errors.ts";
import { enhanceProofOfWork } from "./proof-of-work.ts";
import { enhanceRecompute } from "./recompute.ts";
import { enhanceWidgets } from "./widgets.ts";

/**
 * All the script of the public pages. Each part finds its elements by `data-…` attributes and does nothing
 * where there are none; heavy ones are imported when their element comes into view.
 */
const parts: Array<(root: ParentNode) => void> = [
  enhanceAges,
  enhanceCalculator,
  enhanceCarousel,
  enhanceColourScheme,
  () => closeDropdowns(),
  () => showHints(),
  enhanceFaqSearch,
  // Before what sends the form.
  enhanceOwnErrors,
  enhanceProofOfWork,
  enhanceRecompute,
  enhanceTour,
  // The widgets first: whose place they take has nothing left to keep live.
  enhanceWidgets,
  keepPricesLive,
  enhanceChart,
  enhanceCopyFields,
];

for (const enhance of parts) {
  try {
    enhance(document);
  } catch (error) {
    // One part that breaks takes no other with it; the page itself needs none of them.
    reportError(error);
  }
}

/** Puts the film in the place of its first picture, with captions, once a reader wants to see it (`data-tour`). */
function enhanceTour(root: ParentNode): void {
  for (const frame of root.querySelectorAll<HTMLElement>("[data-tour]")) {
    const start = frame.querySelector("[data-tour-start]");
    const film = frame.querySelector("template")?.content.querySelector("video");
    if (!start || !film) continue;
    start.addEventListener("click", (event) => {
      event.preventDefault();
      const video = document.importNode(film, true);
      start.replaceWith(video);
      video.focus();
      // Where a browser does not play on its own, its own button is there.
      video.play().catch(() => {});
    });
  }
}

/**
 * Keeps the ages on the page true for as long as it is open: `<time data-age-ms>`, the age when the page was
 * made. It counts from there, whatever the reader's clock says.
 */
function enhanceAges(root: ParentNode): void {
  const times = [...root.querySelectorAll<HTMLElement>("time[data-age-ms]")];
  if (times.length === 0) return;
  setInterval(() => {
    const openMs = performance.now();
    for (const time of times) {
      const ageMs = Number(time.dataset["ageMs"]) + openMs;
      time.textContent = formatAge(new Date(0), new Date(ageMs));
    }
  }, 5_000);
}

/** Makes market overviews move: their script is fetched when one comes near the view, the chart's own after it. */
function enhanceChart(root: ParentNode): void {
  for (const overview of root.querySelectorAll<HTMLElement>("[data-overview]")) {
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        near.disconnect();
        void import("#app/ui/market/mount-overview.ts").then((chart) =>
          chart.mountOverview(overview),
        );
      },
      { rootMargin: "200px" },
    );
    near.observe(overview);
  }
}
