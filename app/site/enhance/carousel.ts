const stillWanted = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Lets slides advance on their own, and the dots choose one. They stop under the pointer, while
 * anything in them has the focus, where motion is not wanted, in a tab that no one sees, and when told to.
 */
export function enhanceCarousel(root: ParentNode): void {
  for (const carousel of root.querySelectorAll<HTMLElement>("[data-carousel]")) run(carousel);
}

function run(carousel: HTMLElement): void {
  const track = carousel.querySelector<HTMLElement>("[data-track]");
  const pause = carousel.querySelector<HTMLButtonElement>("[data-pause]");
  const dots = [...carousel.querySelectorAll<HTMLAnchorElement>("[data-dot]")];
  const slides = track ? ([...track.children] as HTMLElement[]) : [];
  if (!track || slides.length < 2) return;
  const everyMs = Number(carousel.dataset["carousel"]);
  let current = 0;
  let isPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const mark = (index: number) => {
    current = index;
    dots.forEach((dot, each) => {
      if (each === index) dot.setAttribute("aria-current", "true");
      else dot.removeAttribute("aria-current");
    });
  };
  const show = (index: number) => {
    const left = (slides[index]?.offsetLeft ?? 0) - (slides[0]?.offsetLeft ?? 0);
    track.scrollTo({ left, behavior: stillWanted.matches ? "auto" : "smooth" });
    mark(index);
  };
  const rests = () =>
    isPaused ||
    stillWanted.matches ||
    document.hidden ||
    carousel.matches(":hover") ||
    carousel.contains(document.activeElement);
  const waitOn = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!rests()) show((current + 1) % slides.length);
      waitOn();
    }, everyMs);
  };

  dots.forEach((dot, index) => {
    dot.addEventListener("click", (event) => {
      event.preventDefault();
      show(index);
      waitOn();
    });
  });
  track.addEventListener(
    "scrollend",
    () => mark(Math.round(track.scrollLeft / Math.max(1, track.clientWidth))),
    { passive: true },
  );
  // Whoever was there just now has five whole seconds more.
  carousel.addEventListener("pointerleave", waitOn);
  carousel.addEventListener("focusout", waitOn);
  const offerPause = () => {
    if (pause) pause.hidden = stillWanted.matches;
  };
  pause?.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.textContent = isPaused ? "Play" : "Pause";
    waitOn();
  });
  stillWanted.addEventListener("change", offerPause);
  offerPause();
  // Which slide is shown, only a script knows: the page itself marks no dot.
  mark(0);
  waitOn();
}
