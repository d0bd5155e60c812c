// A process that posts a day until it is done or killed.

import { postMiningDay } from "../../server/mining/post-mining-day.ts";
import { openDatabase } from "../../server/platform/database.ts";
import { openLog } from "../../server/platform/log.ts";

const [applicationUrl = "", day = "", now = ""] = process.argv.slice(2);
const db = openDatabase(applicationUrl, openLog("silent"), 4);
await postMiningDay(db, day, new Date(now));
await db.$client.end();
