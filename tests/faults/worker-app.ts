// A worker of its own process that does some jobs again and again until it is killed: `worker-app.ts DATABASE BITCOIN_NODE ETHEREUM_NODE NAME=PAYLOAD…`.
import { chainJobs } from "../../server/chain/jobs.ts";
import { depositJobs } from "../../server/deposits/jobs.ts";
import { openApp } from "../../server/open-app.ts";
import { readConfig } from "../../server/platform/config/read-config.ts";
import type { Job } from "../../server/platform/jobs/jobs.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { proofJobs } from "../../server/proof/jobs.ts";
import { withdrawalJobs } from "../../server/withdrawals/jobs.ts";

const [applicationUrl = "", nodeUrl = "", ethereumUrl = "", ...wanted] = process.argv.slice(2);
const config = readConfig({
  AUTH_SECRET: "x".repeat(40),
  BITCOIN_RPC_URL: nodeUrl,
  ETHEREUM_RPC_URL: ethereumUrl,
});
const app = openApp(config, openLog("silent"), applicationUrl);
const jobs = [...chainJobs, ...depositJobs, ...withdrawalJobs, ...proofJobs] as Job<
  typeof app,
  unknown
>[];
const never = new AbortController().signal;
for (;;) {
  for (const each of wanted) {
    const [name, payload = "{}"] = each.split("=");
    const job = jobs.find((one) => one.name === name);
    if (!job) throw new Error(`there is no job ${name}`);
    await job.run(app, JSON.parse(payload), never);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
}
