import { Link, type LinkProps } from "react-router";
import type { Permission } from "#core/permissions.ts";
import { useMay } from "./use-may.ts";

/** A link to a page of the console, or its words alone for whom that page is closed. */
export function MayLink({ needs, ...link }: LinkProps & { needs: Permission }) {
  const may = useMay();
  return may(needs) ? <Link {...link} /> : <span>{link.children}</span>;
}
