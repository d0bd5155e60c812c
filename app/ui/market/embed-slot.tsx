import type { ReactNode } from "react";
import { type EmbedName, embeds } from "#core/text/embeds.ts";

interface EmbedSlotProps {
  name: EmbedName;
  /** The provider's widgets that the operator has switched on. */
  switchedOn: EmbedName[];
  className?: string | undefined;
  /** What this site itself shows here; null: nothing, since the widget is wanted. */
  children: ReactNode;
}

/**
 * A place where one of the provider's widgets may stand instead of the site's own part: `put-embeds.ts` puts it
 * there once the visitor has agreed. A place that waits for a widget is as high as it will be, so that nothing moves.
 */
export function EmbedSlot({ name, switchedOn, className, children }: EmbedSlotProps) {
  if (!switchedOn.includes(name))
    return className ? <div className={className}>{children}</div> : children;
  const kept = children === null ? { minHeight: embeds[name].heightPx } : undefined;
  return (
    <div className={className} data-embed={name} style={kept}>
      {children}
    </div>
  );
}
