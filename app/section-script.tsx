import { scripts } from "virtual:site-script";
import { InlineScript } from "#app/ui/browser/inline-script.tsx";
import type { PlainScript } from "./plain-page.ts";

/**
 * All the script that a page has which React does not take over. It is asked for when the page has been drawn: until then
 * the line and the processor are the words' own. So are the fonts on the first page of a visit; later pages have them in
 * the cache, and are drawn with them at once.
 */
export function SectionScript({ name }: { name: PlainScript }) {
  // No page that React takes over has it, so that none brings it.
  if (!import.meta.env.SSR) return null;
  const { scripts: sources, preloads } = scripts[name];
  return (
    <>
      <InlineScript text={waitWithFonts} />
      <InlineScript type="module" text={onceDrawn([...preloads, ...sources])} />
    </>
  );
}

/** Leaves the fonts out for a while: app/ui/theme/theme.css. */
const waitWithFonts = `
if (!document.referrer.startsWith(location.origin + "/") && performance.getEntriesByType("navigation")[0]?.type === "navigate")
  document.documentElement.dataset.fonts = "later";
`.trim();

/** The faces that every page has: they are there before words are laid out in them, so that this happens once. */
const faces = ['1em "Assay Sans"', '600 1em "Assay Serif"'];

/**
 * A browser that does not tell when it has drawn is given two seconds. Words take another room in our fonts: what the address names
 * stays where it was.
 */
function onceDrawn(modules: string[]): string {
  return `
const drawn = new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
  setTimeout(resolve, 2000);
});
drawn.then(async () => {
  for (const module of ${JSON.stringify(modules)}) import(module);
  const { dataset } = document.documentElement;
  if (dataset.fonts) await Promise.allSettled(${JSON.stringify(faces)}.map((face) => document.fonts.load(face)));
  const top = () => document.querySelector(":target")?.getBoundingClientRect().top;
  const was = top();
  delete dataset.fonts;
  if (was > 0 && was < innerHeight) scrollBy(0, top() - was);
});
`.trim();
}
