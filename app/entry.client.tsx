import { StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { keepEarlyWords } from "#app/ui/browser/keep-early-words.ts";

const endKeeping = keepEarlyWords();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
      <Ready />
    </StrictMode>,
  );
});

/** Stands after the router, so that the effects of the whole page have run before its own. */
function Ready() {
  useEffect(endKeeping, []);
  return null;
}
