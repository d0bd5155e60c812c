interface Words {
  value: string;
  start: number;
  end: number;
}

/**
 * Keeps what is typed into text areas before the page's script has taken over. React then writes the text that the
 * server sent into every text area, typed over or not, and so moves the cursor too (`initTextarea` of react-dom 19).
 * The function returned ends the watch once React is ready, and tells the page's forms what was typed meanwhile.
 */
export function keepEarlyWords(): () => void {
  const typed = new Map<EventTarget, Words>();
  const note = (area: EventTarget | null) => {
    if (!(area instanceof HTMLTextAreaElement)) return;
    typed.set(area, { value: area.value, start: area.selectionStart, end: area.selectionEnd });
  };
  const restore = (area: Node) => {
    const words = typed.get(area);
    if (!words || !(area instanceof HTMLTextAreaElement)) return;
    writeAsIfTyped(area, words.value);
    area.setSelectionRange(words.start, words.end);
  };
  const overwritten = new MutationObserver((changes) => {
    for (const { target } of changes) restore(target);
  });
  for (const area of document.querySelectorAll("textarea")) {
    overwritten.observe(area, { childList: true });
    if (area.value !== area.defaultValue) note(area);
  }
  const noteTyped = (event: Event) => note(event.target);
  const noteCursor = () => note(document.activeElement);
  noteCursor();
  document.addEventListener("input", noteTyped);
  document.addEventListener("selectionchange", noteCursor);
  return () => {
    document.removeEventListener("input", noteTyped);
    document.removeEventListener("selectionchange", noteCursor);
    overwritten.disconnect();
    for (const area of typed.keys()) {
      if (area instanceof HTMLTextAreaElement && area.value !== area.defaultValue) {
        area.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
    typed.clear();
  };
}

/** Past the `value` that React watches, so that it takes the next event for a person's typing. */
function writeAsIfTyped(area: HTMLTextAreaElement, value: string): void {
  if (area.value === value) return;
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(area, value);
}
