/**
 * Shows the words of `data-hint` next to what is pointed at, tapped or reached by keyboard; Escape takes them away. One element
 * for the whole page, drawn when it is wanted: a page may hold a hundred hints. Until the signal ends it.
 */
export function showHints(signal?: AbortSignal): void {
  const listen = { ...(signal && { signal }) };
  document.addEventListener("pointerover", showUnderPointer, listen);
  document.addEventListener("focusin", showAtFocus, listen);
  document.addEventListener("focusout", hide, listen);
  document.addEventListener("scroll", hide, { ...listen, capture: true, passive: true });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide(), listen);
  signal?.addEventListener("abort", hide);
}

const id = "hint";
let about: HTMLElement | null = null;

function hintedFrom(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-hint]") : null;
}

function showUnderPointer({ target, pointerType }: PointerEvent): void {
  const hinted = hintedFrom(target);
  // A tap on a link opens it.
  if (hinted && (pointerType === "mouse" || !hinted.closest("a, button"))) show(hinted);
  else if (!(target instanceof Element && target.id === id)) hide();
}

function showAtFocus({ target }: FocusEvent): void {
  const hinted = hintedFrom(target);
  if (hinted === target && hinted?.matches(":focus-visible")) show(hinted);
}

function show(hinted: HTMLElement): void {
  if (hinted === about) return;
  hide();
  about = hinted;
  const hint = element();
  hint.textContent = hinted.dataset["hint"] ?? "";
  hinted.setAttribute("aria-describedby", id);
  hint.hidden = false;
  hint.showPopover?.();
  place(hint, hinted.getBoundingClientRect());
}

function hide(): void {
  about?.removeAttribute("aria-describedby");
  about = null;
  const hint = document.getElementById(id);
  if (!hint || hint.hidden) return;
  hint.hidePopover?.();
  hint.hidden = true;
}

function element(): HTMLElement {
  const known = document.getElementById(id);
  if (known) return known;
  const made = document.createElement("div");
  made.id = id;
  made.role = "tooltip";
  made.popover = "manual";
  made.hidden = true;
  return document.body.appendChild(made);
}

/** Above what it is about, or below where there is no room; inside the window. */
function place(hint: HTMLElement, { top, bottom, left, width }: DOMRect): void {
  const [gap, edge] = [6, 8];
  const above = top - hint.offsetHeight - gap;
  const middle = left + width / 2 - hint.offsetWidth / 2;
  const rightmost = document.documentElement.clientWidth - hint.offsetWidth - edge;
  hint.style.top = `${above >= edge ? above : bottom + gap}px`;
  hint.style.left = `${Math.max(edge, Math.min(middle, rightmost))}px`;
}
