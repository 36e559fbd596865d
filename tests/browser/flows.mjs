// Flows through `pods explore` in a real browser. Started by scripts/browser-tests.sh.

import { browser, end, run } from "./harness.mjs";
import * as editing from "./editing.mjs";
import * as looks from "./looks.mjs";
import * as playing from "./playing.mjs";

const failed = await run({ ...playing, ...editing, ...looks });
await browser.close();
end();
console.log(failed === 0 ? "all flows went well" : `${failed} flows failed`);
process.exit(failed === 0 ? 0 : 1);
