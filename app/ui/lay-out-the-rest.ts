/**
 * Lays out what is below the first screen of a visit's first page, which waited until the words on the screen had
 * their fonts (scripts/vite/theme-sheet.ts): part by part, when nothing else is to be done, so that no tap waits for it.
 * A page that knows no `content-visibility`, or was not left to wait, is laid out already.
 */
export async function layOutTheRest(): Promise<void> {
  const page = document.documentElement;
  if (!page.dataset["fonts"]) return;
  // The fonts are asked for when words are laid out in them.
  page.getBoundingClientRect();
  await document.fonts.ready;
  const waiting = [...document.querySelectorAll<HTMLElement>("section, details, footer")].filter(
    (part) => getComputedStyle(part).contentVisibility === "auto",
  );
  for (const part of waiting) {
    await idle();
    part.style.contentVisibility = "visible";
    part.getBoundingClientRect();
  }
  delete page.dataset["fonts"];
  for (const part of waiting) part.style.removeProperty("content-visibility");
}

/** Not every browser tells when it has nothing to do. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: 200 });
    else setTimeout(resolve, 20);
  });
}
