// A process that posts a day until it is done or killed, and says how long that took and how much memory it had at most.

import { postMiningDay } from "../../server/mining/days/post-mining-day.ts";
import { openDatabase } from "../../server/platform/database.ts";
import { openLog } from "../../server/platform/log/log.ts";

const [applicationUrl = "", day = "", now = ""] = process.argv.slice(2);
const db = openDatabase(applicationUrl, openLog("silent"), { connections: 4 });
const started = performance.now();
await postMiningDay(db, day, new Date(now));
const seconds = (performance.now() - started) / 1000;
await db.$client.end();
const rssMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ seconds, rssMb }));
