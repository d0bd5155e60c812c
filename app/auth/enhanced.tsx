import { useHydrated } from "#app/ui/use-hydrated.ts";

const name = "enhanced";

/** Tells the action that JavaScript runs the page: then toasts and waits are the page's, not a redirect's. */
export function EnhancedField() {
  return useHydrated() ? <input type="hidden" name={name} value="1" /> : null;
}

export function isEnhanced(form: FormData): boolean {
  return form.get(name) === "1";
}
