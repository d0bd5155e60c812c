import { useEffect } from "react";
import type { Flash } from "./flash.ts";
import { Notice } from "./notice.tsx";
import { notify } from "./notify.tsx";

/** Shows what the page before asked to say: as toasts, or as banners where JavaScript is off. */
export function FlashToasts({ flashes }: { flashes: Flash[] }) {
  useEffect(() => {
    for (const { text, tone } of flashes)
      notify(text, { tone: tone === "warning" ? "info" : tone });
  }, [flashes]);
  if (flashes.length === 0) return null;
  return (
    <noscript>
      {flashes.map(({ text, tone }) => (
        <Notice key={text} tone={tone}>
          {text}
        </Notice>
      ))}
    </noscript>
  );
}
