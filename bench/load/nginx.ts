import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "#tests/setup/free-port.ts";
import { end, type Running } from "./children.ts";

/** nginx as the machine has it, or null. */
export function findNginx(): { path: string; version: string } | null {
  for (const file of ["nginx", "/usr/sbin/nginx"]) {
    try {
      const version = execFileSync("sh", ["-c", `${file} -v 2>&1`], { encoding: "utf8" }).trim();
      return { path: file, version };
    } catch {
      // Not there: the next place.
    }
  }
  return null;
}

/** nginx that gives out one file with these headers, as Debian sets it up but without its access log. */
export async function startNginx(
  nginx: string,
  folder: string,
  page: { file: string; headers: Record<string, string> },
): Promise<Running> {
  const port = await freePort();
  const place = path.join(folder, "nginx");
  mkdirSync(place);
  copyFileSync(page.file, path.join(place, "page"));
  // Its workers may run as somebody else.
  for (const file of [folder, place]) chmodSync(file, 0o755);
  const { "content-type": type = "text/html", ...others } = page.headers;
  const added = Object.entries(others).map(
    ([name, value]) => `add_header ${name} ${quoted(value)};`,
  );
  const config = `
worker_processes 1;
pid ${place}/pid;
error_log ${place}/error.log;
events { worker_connections 256; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; etag off;
  server {
    listen 127.0.0.1:${port};
    root ${place};
    location = / { default_type ${quoted(type)}; ${added.join(" ")} try_files /page =404; }
  }
}`;
  writeFileSync(path.join(place, "nginx.conf"), config);
  const args = ["-c", path.join(place, "nginx.conf"), "-p", place, "-g", "daemon off;"];
  const child = spawn(nginx, args, { stdio: ["ignore", "inherit", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; !(await fetch(url).catch(() => null))?.ok; attempt += 1) {
    if (attempt > 100 || child.exitCode !== null) throw new Error("nginx does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, pid: child.pid as number, stop: () => end(child) };
}

function quoted(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("$", "")}"`;
}
