/** Puts the film in the place of its first picture, with captions, once somebody wants to see it (`data-tour`). */
export function enhanceTour(root: ParentNode): void {
  for (const frame of root.querySelectorAll<HTMLElement>("[data-tour]")) {
    const start = frame.querySelector("[data-tour-start]");
    const film = frame.querySelector("template")?.content.querySelector("video");
    if (!start || !film) continue;
    start.addEventListener("click", (event) => {
      event.preventDefault();
      const video = document.importNode(film, true);
      start.replaceWith(video);
      video.focus();
      // Where a browser does not play by itself, its own button is there.
      video.play().catch(() => {});
    });
  }
}
