interface Notified {
  id: number;
  text: string;
  tone: "success" | "error";
}

let notified: readonly Notified[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a toast for 3 s, on pages that React takes over. */
export function notifySuccess(text: string): void {
  change([...notified, { id: ++lastId, text, tone: "success" }]);
}

export function notifyError(text: string): void {
  change([...notified, { id: ++lastId, text, tone: "error" }]);
}

export function forgetNotified(id: number): void {
  change(notified.filter((each) => each.id !== id));
}

export const listNotified = (): readonly Notified[] => notified;

export function subscribeToNotified(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(to: readonly Notified[]): void {
  notified = to;
  for (const listener of listeners) listener();
}
