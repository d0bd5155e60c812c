import { useEffect } from "react";
import type { Permission } from "#core/permissions.ts";

/** A key and what it does on a page; the help line shows it. */
export interface ConsoleKey {
  key: string;
  does: string;
  /** Not named to whom this is not permitted. */
  needs?: Permission;
}

/** For lists: rows are links marked `data-row`. */
export const listKeys: ConsoleKey[] = [
  { key: "j", does: "next row" },
  { key: "k", does: "row above" },
  { key: "Enter", does: "open" },
];

/**
 * Lets the console be worked from the keyboard: `j` and `k` move through the links marked `data-row`, any other key goes to
 * the part marked `data-key` with it (a link is followed, a field is focused, and opened when it is folded away).
 * Nothing happens while somebody types in a field; Escape leaves the field.
 */
export function useConsoleKeys(): void {
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function onKey(event: KeyboardEvent): void {
  const shortcut = event.ctrlKey || event.metaKey || event.altKey;
  if (event.defaultPrevented || shortcut) return;
  const { target } = event;
  if (target instanceof HTMLElement && takesText(target)) {
    if (event.key === "Escape") target.blur();
    return;
  }
  const dialog = document.querySelector("[role=dialog]");
  if (!dialog && act(event.key)) event.preventDefault();
}

function act(key: string): boolean {
  if (key === "j") return moveRow(1);
  if (key === "k") return moveRow(-1);
  if (!/^[a-z/]$/.test(key)) return false;
  const part = document.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (!part) return false;
  if (part instanceof HTMLAnchorElement) part.click();
  else reveal(part);
  return true;
}

function moveRow(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  if (rows.length === 0) return false;
  const next = rows.indexOf(document.activeElement as HTMLElement) + by;
  const row = rows[Math.min(Math.max(next, 0), rows.length - 1)];
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
  return true;
}

function reveal(part: HTMLElement): void {
  const folded = part.closest("details");
  if (folded) folded.open = true;
  const focused =
    part.querySelector<HTMLElement>("input:not([type=hidden]), textarea, button") ?? part;
  focused.focus();
  focused.scrollIntoView({ block: "nearest" });
}

/** Radio buttons, boxes and buttons take no text: keys keep working on them. */
const typed = [
  "text",
  "search",
  "email",
  "number",
  "date",
  "datetime-local",
  "password",
  "url",
  "tel",
];

function takesText(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement) return typed.includes(target.type);
  const editable = target.isContentEditable || target instanceof HTMLTextAreaElement;
  return editable || target instanceof HTMLSelectElement;
}
