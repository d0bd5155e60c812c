import { data } from "react-router";
import { legalIds } from "#core/legal/legal-document.ts";
import { findVersion } from "#core/legal/legal-versions.ts";
import { toPlainText } from "#core/legal/plain-text.ts";
import type { Route } from "./+types/text-file";
import { textOf } from "./legal-view.ts";

/** A version of a text as a file, `/terms/privacy-1.0.txt`: whoever hashes its bytes gets the hash on its page. */
export function loader({ params }: Route.LoaderArgs) {
  const [, name, version = ""] = /^([a-z]+)-(\d+\.\d+)\.txt$/.exec(params.file) ?? [];
  const id = legalIds.find((each) => each === name);
  const found = id && findVersion(id, version);
  if (!found) throw data(null, { status: 404, statusText: "Not Found" });
  return new Response(toPlainText(textOf(found)), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "public, max-age=3600",
    },
  });
}
