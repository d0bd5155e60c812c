import { scripts } from "virtual:site-script";
import type { PlainScript } from "./plain-page.ts";
import { InlineScript } from "./ui/inline-script.tsx";

/**
 * All the script that a page has which React does not take over. It is asked for when the page has been drawn: until then
 * the line and the processor are the words' own. The first page of a visit asks for the fonts then, too, and lays out
 * what is below the screen after them (ui/lay-out-the-rest.ts); later ones have them in the cache, and are drawn with
 * them at once.
 */
export function SectionScript({ name }: { name: PlainScript }) {
  const { scripts: sources, preloads } = scripts[name];
  return (
    <>
      <InlineScript text={waitWithFonts} />
      <InlineScript type="module" text={onceDrawn([...preloads, ...sources])} />
    </>
  );
}

/** What leaves the fonts out for a while is in scripts/vite/theme-sheet.ts. */
const waitWithFonts = `
if (!document.referrer.startsWith(location.origin + "/") && performance.getEntriesByType("navigation")[0]?.type === "navigate")
  document.documentElement.dataset.fonts = "later";
`.trim();

/** A browser that does not tell when it has drawn is given two seconds. */
function onceDrawn(modules: string[]): string {
  return `
const drawn = new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
  setTimeout(resolve, 2000);
});
drawn.then(() => {
  if (document.documentElement.dataset.fonts) document.documentElement.dataset.fonts = "asked";
  for (const module of ${JSON.stringify(modules)}) import(module);
});
`.trim();
}
