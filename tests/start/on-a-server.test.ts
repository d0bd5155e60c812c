import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { freePort } from "../setup/free-port.ts";
import { commandsOf } from "../setup/run-blocks.ts";

buildWhenNeeded();
const page = readFileSync("docs/operating/on-a-server.md", "utf8");
const unit = readFileSync("deploy/systemd/assay.service", "utf8");
const said = (setting: string) => new RegExp(`^${setting}=(.*)$`, "m").exec(unit)?.[1] ?? "";

/** Only root has a machine of its own to install on: what it writes below these folders is nobody else's, and gone with it. */
const ownMachine = `
set -euo pipefail
if id assay; then exit 1; fi
mount -t tmpfs tmpfs /srv
for folder in /etc /var/lib; do
  mkdir -p /srv/upper$folder /srv/work$folder
  mount -t overlay overlay -o lowerdir=$folder,upperdir=/srv/upper$folder,workdir=/srv/work$folder $folder
done`;
const ignored = [
  ...[".git", "node_modules", "test-results"],
  ...["data", "demo-data", "fleet-data", "rehearsal-data"],
];
const copy = `
mkdir -p /srv/assay/1.0 /etc/systemd/system
# What other tests write meanwhile may change under it.
(tar -c ${ignored.map((name) => `--exclude=./${name}`).join(" ")} . || [ $? = 1 ]) | tar -x --no-same-owner -C /srv/assay/1.0
mkdir /srv/assay/1.0/node_modules
mount --bind node_modules /srv/assay/1.0/node_modules
mkdir --mode=1777 /srv/tmp
export PATH=/srv/assay/1.0/node_modules/.bin:$PATH TMPDIR=/srv/tmp`;
const namespace = ["--mount", "--propagation", "private"];
const isOwn =
  process.getuid?.() === 0 &&
  spawnSync("unshare", [...namespace, "bash", "-c", ownMachine]).status === 0;

/** As systemd would. */
const startService = `
cd ${said("WorkingDirectory")}
user=${said("User")}
setpriv --reuid=$user --regid=$user --init-groups env ${said("Environment")} ${said("ExecStart").replace("/usr/bin/", "")} &
service=$!
trap 'kill $service; wait $service || true' EXIT
read -r`;

test.runIf(isOwn)(
  "the page leads from an empty machine to a product that answers, and to its first operator",
  async () => {
    const port = await freePort();
    const commands = (heading: string) =>
      commandsOf(page, heading).filter((line) => !/^ +npm /.test(line));
    const script = [
      ownMachine,
      copy,
      ...commands("## The product"),
      ...commands("## The settings"),
      `echo PORT=${port} >> /etc/assay.env`,
      ...commands("## Start it"),
      startService,
      ...commands("## Commands"),
    ].join("\n");
    const shell = spawn("unshare", [...namespace, "bash", "-c", script]);
    let output = "";
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    const ended = once(shell, "exit");
    // It ended early, and says why.
    shell.stdin.on("error", () => {});
    const answers = async () =>
      (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status ?? output;
    await expect
      .poll(answers)
      .toBe(200)
      .finally(() => shell.stdin.end("\n"));
    expect(await ended, output).toEqual([0, null]);
    expect(output).toMatch(/https:\/\/mine\.example\.org\/resetpassword\?token=[\w-]{43}/);
    expect(output).toContain("ok ");
    expect(output).not.toContain("WRONG");
  },
);
