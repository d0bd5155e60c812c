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

/** On every page. */
export const searchKeys: ConsoleKey[] = [{ key: "Ctrl K", does: "search the console" }];

/**
 * Lets the console be worked from the keyboard: `j` and `k` move through the links marked `data-row`, any other key goes to
 * the part marked `data-key` with it (a link is followed, a field is focused, and opened when it is folded away), the page's own first.
 * Nothing happens while somebody types in a field, but for Ctrl+K, which searches the console; Escape leaves the field.
 */
export function useConsoleKeys(): void {
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (asksToSearch(event) && search()) event.preventDefault();
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

function asksToSearch({ key, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  return key === "k" && (ctrlKey || metaKey) && !altKey && !defaultPrevented;
}

function act(key: string): boolean {
  if (key === "j") return moveRow(1);
  if (key === "k") return moveRow(-1);
  if (!/^[a-z/]$/.test(key)) return false;
  const parts = [...document.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)];
  return follow(parts.find((each) => each.closest("main")) ?? parts[0]);
}

/** To the field of the search, or to its page where there is no room for a field. */
function search(): boolean {
  const ways = [...document.querySelectorAll<HTMLElement>("[data-search]")];
  return follow(ways.find((each) => each.checkVisibility()));
}

function follow(part: HTMLElement | undefined): boolean {
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
  if (focused instanceof HTMLInputElement && focused.type === "search") focused.select();
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
