// Flows through `pods explore` in a real browser. Started by scripts/browser-tests.sh.

import { browser, end, run } from "./harness.mjs";
import * as editing from "./editing.mjs";
import * as fairness from "./fairness.mjs";
import * as looks from "./looks.mjs";
import * as pages from "./pages.mjs";
import * as playing from "./playing.mjs";
import * as random from "./random.mjs";
import * as straying from "./straying.mjs";
import * as strangers from "./strangers.mjs";
import * as stumbling from "./stumbling.mjs";
import * as touching from "./touching.mjs";
import * as using from "./using.mjs";

// ONLY=finger,tap has the flows alone whose names hold one of the words; with CLAIMS=FOLDER each is taken by one of those that share the folder.
const all = { ...playing, ...random, ...using, ...touching, ...editing, ...fairness, ...straying, ...strangers, ...stumbling, ...looks, ...pages };
const words = (process.env.ONLY ?? "").split(",");
const wanted = Object.entries(all).filter(([name]) => words.some((word) => name.includes(word)));
const failed = await run(Object.fromEntries(wanted));
// A page that hangs would hold it up.
await Promise.race([browser.close(), new Promise((done) => setTimeout(done, 10_000))]);
end();
console.log(failed === 0 ? "all flows went well" : `${failed} flows failed`);
process.exit(failed === 0 ? 0 : 1);
