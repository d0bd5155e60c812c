import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A file of `deploy/haproxy` that listens on this port of 127.0.0.1, without the TLS that needs a certificate. */
export function writeProxyFile(
  file: "haproxy.cfg" | "database.cfg",
  { folder, port }: { folder: string; port: number },
): string {
  const changes: Record<typeof file, Array<[what: RegExp, by: string]>> = {
    "haproxy.cfg": [
      [/ {2}bind :80\n/, `  bind 127.0.0.1:${port}\n`],
      [/ {2}bind :443 .*\n/, ""],
      [/ {2}http-request redirect .*\n/, ""],
    ],
    "database.cfg": [[/ {2}bind 127\.0\.0\.1:5432\n/, `  bind 127.0.0.1:${port}\n`]],
  };
  let text = readFileSync(path.join("deploy/haproxy", file), "utf8");
  for (const [what, by] of changes[file]) {
    if (!what.test(text)) throw new Error(`${file} has no ${what}`);
    text = text.replace(what, by);
  }
  const place = path.join(folder, file);
  writeFileSync(place, text);
  return place;
}
