import { closeDropdowns } from "#app/ui/browser/close-dropdowns.ts";
import { enhanceCopyFields } from "#app/ui/figures/enhance-copy-fields.ts";
import { showHints } from "#app/ui/figures/hints.ts";
import { keepPricesLive } from "#app/ui/market/keep-prices-live.ts";
import { enhanceColourScheme } from "#app/ui/theme/enhance-colour-scheme.ts";
import { enhanceAges } from "./ages.ts";
import { enhanceCalculator } from "./calculator.ts";
import { enhanceCarousel } from "./carousel.ts";
import { enhanceChart } from "./chart.ts";
import { enhanceFaqSearch } from "./faq-search.ts";
import { enhanceOwnErrors } from "./own-errors.ts";
import { enhanceProofOfWork } from "./proof-of-work.ts";
import { enhanceRecompute } from "./recompute.ts";
import { enhanceTour } from "./tour.ts";
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
