// An application that posts transfers until it is killed. What it asks (?) and what it is told (=) it writes
// to a file at once: what it wrote before it died has been written.
import { openSync, writeSync } from "node:fs";
import { openDatabase } from "../../server/platform/database.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { post } from "./posting-load.ts";

const [applicationUrl = "", file = ""] = process.argv.slice(2);
const clients = 6;
const witness = openSync(file, "a");
await post(
  openDatabase(applicationUrl, openLog("silent"), { connections: clients }),
  clients,
  {
    asked: (key) => writeSync(witness, `?${key}\n`),
    told: (key, transferId) => writeSync(witness, `=${key}=${transferId}\n`),
  },
  () => true,
);
