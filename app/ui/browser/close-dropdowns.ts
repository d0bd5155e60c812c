/**
 * Closes menus (`<details data-dropdown>`) as readers expect it: by Escape, a click next to one, leaving it, or
 * following a link in it. Until the signal ends it.
 */
export function closeDropdowns(signal?: AbortSignal): void {
  const listen = { ...(signal && { signal }) };
  const closeAround = (place: EventTarget | null) => {
    for (const menu of openMenus()) {
      if (!(place instanceof Node && menu.contains(place))) menu.open = false;
    }
  };
  document.addEventListener("pointerdown", ({ target }) => closeAround(target), listen);
  document.addEventListener("focusin", ({ target }) => closeAround(target), listen);
  document.addEventListener("keydown", closeOnEscape, listen);
  document.addEventListener("click", closeBehindLink, listen);
  // The back button shows pages as they were left.
  addEventListener("pageshow", ({ persisted }) => persisted && closeAround(null), listen);
}

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>("details[data-dropdown][open]")];
}

function closeOnEscape({ key }: KeyboardEvent): void {
  const [menu] = openMenus();
  if (key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

/** The link may lead to this very page. */
function closeBehindLink({ target }: MouseEvent): void {
  const link = target instanceof Element ? target.closest("a") : null;
  const menu = link?.closest<HTMLDetailsElement>("details[data-dropdown]");
  if (menu) menu.open = false;
}
