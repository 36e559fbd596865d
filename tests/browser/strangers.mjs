// What strangers took for something else, or could not see: whose pod it is, what a sign says, what
// is missing.

import assert from "node:assert/strict";
import { close, hand, open, pods, point, position, SMALL, state, TINY } from "./harness.mjs";

const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const edge = ({ x, y, width, height }) => ({ right: x + width, bottom: y + height });

export async function the_pod_of_who_is_not_to_move_is_not_played() {
  const page = await open(state(SMALL));
  const before = await position(page);
  for (const size of [LAPTOP, PHONE]) {
    await page.setViewportSize(size);
    await hand(page, "black", "d").click();
    assert.equal(await page.locator("#todo").innerText(), "This is Black’s pod d. White is to move.");
    assert.equal(await page.locator("#hand-black [aria-pressed=true]").count(), 0);
    assert.equal(await page.locator("#board .may").count(), 0);
    await point(page, "b2").click();
    await page.locator("#why").filter({ hasText: "First choose a pod in White’s hand" }).waitFor();
    assert.equal(await position(page), before);
    await page.locator("#why").getByRole("button", { name: "Close" }).click();
  }
  await close(page);
}

export async function what_was_typed_stays_to_be_mended() {
  const page = await open("", LAPTOP);
  await page.locator("#action").fill("zzz");
  await page.locator("#action").press("Enter");
  await page.locator("#bad-action").filter({ hasText: "is no action" }).waitFor();
  assert.equal(await page.locator("#action").inputValue(), "zzz");
  const [said, field] = [await page.locator("#bad-action").boundingBox(), await page.locator("#action").boundingBox()];
  assert.ok(edge(said).bottom <= field.y + 1 && said.y > 0 && edge(said).right <= LAPTOP.width, JSON.stringify([said, field]));
  await page.locator("#action").fill("b@c3");
  await page.locator("#action").press("Enter");
  await point(page, "c3").filter({ has: page.locator("xpath=self::*[contains(@class, 'last')]") }).waitFor();
  assert.equal(await page.locator("#action").inputValue(), "");
  await close(page);
}

// What is proven anywhere is known everywhere, also while the program is the opponent.
export async function what_the_program_proves_is_known_beside_it() {
  const page = await open(state({ ...TINY, program: "black", pace: "0.5" }));
  await page.locator("#values .proven").filter({ hasText: "White wins" }).waitFor();
  await page.locator("#values .worths button").first().click();
  await page.locator("#program .said").filter({ hasText: "proven" }).waitFor();
  await page.locator("#values .answer").filter({ hasText: "White wins" }).waitFor();
  // Before its answer the same is known.
  await page.locator('[data-key="Undo"]').click();
  await page.waitForFunction(() => / b [a-z]/.test(document.getElementById("position").value));
  await page.locator("#values .answer").filter({ hasText: "White wins" }).waitFor();
  await close(page);
}

export async function who_waits_for_the_program_is_told_so_and_a_pod_that_may_not_open_says_why() {
  const page = await open(state({ position: "6/2c3/6/T5/6/4B1 w cdfghjkopqvy bdfghjkopqtvy -", program: "white", pace: "30" }));
  await page.locator("#todo").filter({ hasText: "The program is thinking for White…" }).waitFor();
  await page.locator("#program").getByRole("button", { name: "Stop thinking" }).evaluate((one) => one.click());
  await page.locator("#todo").filter({ hasText: "White to move: choose a pod" }).waitFor();
  await close(page);
  const start = await open("");
  await hand(start, "white", "t").click();
  assert.equal(await start.locator("#todo").innerText(), "T may not open the game: White begins with a pod of two legs, B or D (R9)");
  await close(start);
}

export async function the_winner_is_shown_by_the_mark_of_a_side() {
  const page = await open(state(TINY));
  const mark = page.locator("#values .answer .token");
  await page.locator("#values .proven").waitFor();
  assert.equal(await page.locator("#values .answer .badge").count(), 0);
  assert.match(await mark.getAttribute("class"), /white/);
  // After an action that keeps the win the sentence and its mark stay those of White.
  await page.locator("#values .worths button").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#game .steps li").length === 2);
  await page.locator("#values .answer").filter({ hasText: "White wins" }).waitFor();
  assert.match(await mark.getAttribute("class"), /white/);
  await close(page);
}

export async function a_guess_has_a_mark_of_its_own() {
  // The program guesses a move; before it the guess is known.
  const page = await open(state({ position: "6/2c3/6/T5/6/4B1 w cdfghjkopqvy bdfghjkopqtvy -", program: "white", pace: "0.3" }));
  await page.waitForFunction(() => document.querySelectorAll("#game .steps li").length === 2);
  await page.locator('[data-key="Undo"]').click();
  await page.locator("#values .worths .badge").first().waitFor();
  const guess = await page.evaluate(() => document.querySelector("#values .worths button")?.textContent);
  await hand(page, "white", guess[0].toLowerCase()).click();
  await page.locator("#board .may .badge").first().waitFor();
  // No ring is dashed: dashes are liberties.
  const dashed = await page.locator("#board .may").evaluateAll((all) => all.filter((one) => getComputedStyle(one).borderStyle.includes("dashed")).length);
  assert.equal(dashed, 0);
  await close(page);
}

export async function pods_that_move_in_a_line_have_their_letter() {
  const page = await open(state({ ...SMALL, rules: "advanced", position: "3/1B1/3 b dt bdt -" }));
  const search = page.locator('#values [data-key="search"]');
  await page.locator("#values .answer").waitFor();
  if (await search.isVisible()) await search.click({ timeout: 2000 }).catch(() => null);
  await page.locator("#values .line").filter({ hasText: "Best play" }).waitFor({ timeout: 60_000 });
  const line = await page.locator("#values .line button .action").allInnerTexts();
  assert.ok(line.slice(1).some((text) => text.includes("-")), `no pod moves in ${line}`);
  for (const text of line) assert.match(text, /^[bdtqBDTQ]\s*(@|[a-c]\d-)/, `${line}`);
  await close(page);
}

export async function of_a_lost_position_the_most_stubborn_action_is_told() {
  const page = await open("");
  await page.locator("#values").getByText("All 51 actions lose.").waitFor();
  // Not eight of them in the order of the alphabet.
  assert.ok((await page.locator("#values .worths li").count()) <= 1);
  const ask = page.locator("#values").getByRole("button", { name: "Most stubborn" });
  if (await ask.isVisible()) await ask.click();
  // It is the one of the command line, here and when all is asked anew.
  const { action } = JSON.parse(pods("best", "start", "--max-nodes", "20000", "--format", "json"));
  for (const again of [false, true]) {
    if (again) {
      await page.reload();
      await page.locator("#values").getByRole("button", { name: "Most stubborn" }).click();
    }
    await page.locator("#values .worths").getByText("loses; holds out longest, as far as the program sees").waitFor({ timeout: 60_000 });
    assert.deepEqual(await page.locator("#values .worths button").evaluateAll((all) => all.map((one) => one.dataset.key)), [`value ${action}`]);
  }
  assert.doesNotMatch(await page.locator("#values").innerText(), /May go on/);
  await close(page);
}

export async function blacks_legs_are_said_as_they_are_drawn() {
  const page = await open("");
  const legs = (label) => /, (.*?)(, may go|$)/.exec(label)[1];
  const [white, black] = await Promise.all(["white", "black"].map(async (side) => legs(await hand(page, side, "d").getAttribute("aria-label"))));
  const turned = { n: "s", ne: "sw", e: "w", se: "nw", s: "n", sw: "ne", w: "e", nw: "se" };
  assert.equal(black, white.replace(/\b[nsew]{1,2}\b/g, (leg) => turned[leg]));
  assert.notEqual(black, white);
  await close(page);
}

export async function a_proof_that_was_just_found_has_its_certificate_near() {
  const page = await open(state({ ...TINY, position: "3/1B1/2q w dt bt -" }));
  await page.locator("#values .proven").waitFor();
  await page.locator("#values").getByRole("button", { name: "Make a certificate" }).click();
  await page.locator("#certificates .proven").filter({ hasText: "the position under Play: " }).waitFor({ timeout: 60_000 });
  assert.equal(await page.getByRole("button", { name: "Save certificate" }).isVisible(), true);
  await close(page);
}

export async function the_current_move_is_in_view_in_its_list() {
  const page = await open(state({ ...SMALL, rules: "advanced" }));
  for (let i = 0; i < 40; i += 1) {
    const before = await page.locator("#game .steps li").count();
    const legal = (await page.locator("#game .actions").textContent()).trim().split(" ");
    if (!legal[0] || legal[0] === "none") break;
    await page.locator("#action").fill(legal.find((one) => !one.includes("@")) ?? legal[0]);
    await page.locator("#action").press("Enter");
    await page.waitForFunction((was) => document.querySelectorAll("#game .steps li").length > was, before);
  }
  assert.ok((await page.locator("#game .steps li").count()) > 25);
  const seen = () => page.evaluate(() => {
    const [box, at] = [document.querySelector("#game .steps"), document.querySelector('#game [aria-current="step"]')].map((one) => one.getBoundingClientRect());
    return at.top >= box.top - 1 && at.bottom <= box.bottom + 1;
  });
  assert.ok(await seen(), "at the end");
  await page.locator('#game [data-key="step start"]').click();
  await page.waitForFunction(() => document.querySelector('#game [aria-current="step"]').textContent === "beginning");
  assert.ok(await seen(), "at the beginning");
  await close(page);
}

export async function who_is_new_is_led_from_the_top_and_sees_rings_on_the_tour() {
  for (const size of [LAPTOP, PHONE]) {
    const page = await open("", size);
    const box = await page.locator("#welcome").boundingBox();
    assert.ok(edge(box).bottom < 120, JSON.stringify(box));
    await page.locator("#welcome").getByRole("button", { name: "Tour" }).click();
    for (let step = 1; step < 3; step += 1) await page.locator('#tour [data-key="next"]').click();
    await page.locator("#tour h2").filter({ hasText: "(3 of 6)" }).waitFor();
    assert.ok((await page.locator("#board .may").count()) > 0);
    await page.getByRole("button", { name: "Leave the tour" }).click();
    await page.locator("#welcome").getByRole("button", { name: "Do not show" }).click();
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    assert.equal(await page.locator("#welcome").isVisible(), false);
    await page.evaluate(() => localStorage.clear());
    await close(page);
  }
}

export async function a_phone_on_its_side_shows_hands_and_board_together() {
  const page = await open(state({ actions: "b@c3" }), { width: 844, height: 390 });
  for (const part of ["#board svg", "#hand-white .pods", "#hand-black .pods", '#moves [data-key="Undo"]']) {
    const box = await page.locator(part).boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && edge(box).right <= 844 && edge(box).bottom <= 390, `${part}: ${JSON.stringify(box)}`);
  }
  assert.ok((await page.locator("#board svg").boundingBox()).width > 200);
  await page.locator("#tab-edit").click();
  await page.locator("#edit-check .captions").waitFor();
  assert.ok((await page.locator("#edit-steps").boundingBox()).height <= 44);
  await close(page);
}

export async function the_other_hand_can_be_read_on_a_phone() {
  const page = await open("");
  for (const size of [PHONE, { width: 320, height: 640 }]) {
    await page.setViewportSize(size);
    const widths = await page.locator("#hand-black button.pod").evaluateAll((all) => all.map((one) => one.querySelector("svg").getBoundingClientRect().width));
    assert.ok(Math.min(...widths) >= 26, `${widths}`);
  }
  await close(page);
}

export async function words_of_programmers_are_folded() {
  const page = await open(state({ tab: "help" }));
  await page.locator("dl.words").first().waitFor();
  const text = await page.locator("#words").innerText();
  for (const word of ["perft", "oracle set", "tier", "sweeps"]) assert.doesNotMatch(text, new RegExp(`^${word}$`, "m"));
  // Who searches for one finds it.
  await page.locator("#find").fill("perft");
  await page.locator("#words").getByText("the number of sequences of actions").waitFor();
  await page.locator("#find").fill("");
  await page.locator("#words").getByText("the number of sequences of actions").waitFor({ state: "hidden" });
  assert.match(await page.locator("#rules").innerText(), /000 is French, 001 Dutch/);
  await close(page);
}

export async function on_paper_there_are_no_tools() {
  const page = await open(state(TINY));
  await page.locator("#values .proven").waitFor();
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(":is(header, #moves, #welcome, #values [data-key=search])").filter({ visible: true }).count(), 0);
  assert.equal(await page.locator("#board svg").isVisible(), true);
  await close(page);
}

// A board whose pods and lines are typed: what the bar says, what is cut off, what is refused.
const DRAFT = "name = 'x'\nsource = 'where this board comes from'\npoints = '''\no-o-o\n| | |\no-o-o\n\no-o o\n'''\n";

export async function the_bar_and_the_board_say_what_is_missing() {
  for (const size of [PHONE, { width: 320, height: 640 }, LAPTOP]) {
    const page = await open(state({ tab: "edit", board: DRAFT, pods: "four" }), size);
    await page.locator("#apart").filter({ hasText: "a1, b1 and c1 are cut off from the others." }).waitFor();
    await page.locator('[data-key="make pods"]').click();
    const steps = page.locator("#edit-steps");
    await steps.getByText("Give every pod a leg first: 14 have none.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Save pod file" }).isDisabled(), true);
    await page.getByText("It can be saved when each pod has a leg.").waitFor();
    const text = await steps.innerText();
    if (size === LAPTOP) assert.match(text, /9 points, 8 lines[^]*14 of 14 still need legs/);
    else assert.match(text, /8 lines[^]*14 left/);
    // The last change is taken back from the bar, wherever one is.
    if (size !== LAPTOP) {
      await steps.getByRole("button", { name: "Undo the last change" }).click();
      await page.locator('[data-card="b"] .leg.short, [data-card="b"] .leg.long').first().waitFor();
    }
    // The bar has all that it will have.
    await steps.getByText(size === LAPTOP ? "when both are whole" : /\d+\/14 fit/).waitFor();
    // A heading that is jumped to stands below the bar.
    await steps.getByRole("button", { name: /Pods/ }).click();
    await page.waitForTimeout(200);
    const [bar, heading] = [await steps.boundingBox(), await page.locator("#edit-pods h2").boundingBox()];
    assert.ok(heading.y >= edge(bar).bottom - 1, `${size.width}: ${JSON.stringify([bar, heading])}`);
    await close(page);
  }
}

export async function captions_that_fit_are_no_success() {
  const page = await open(state({ tab: "edit" }), LAPTOP);
  const steps = page.locator("#edit-steps");
  const height = (await steps.boundingBox()).height;
  await steps.getByText("14 of 14 captions fit (proves little)").waitFor();
  assert.equal(await steps.locator("li.done").count(), 2);
  assert.equal((await steps.boundingBox()).height, height, "the bar grows");
  await close(page);
}

export async function wrong_legs_are_told_on_their_card() {
  const page = await open(state({ tab: "edit", ...SMALL }));
  const card = page.locator('[data-card="b"]');
  const field = page.locator('[data-key="legs b"]');
  for (const [text, said] of [["n q x", "Pod B: q is no direction"], ["n n", "Pod B: two legs point n"]]) {
    await field.fill(text);
    await field.press("Tab");
    await card.locator(".wrong").filter({ hasText: said }).waitFor();
    assert.equal(await field.inputValue(), text);
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator("#trouble").isVisible(), false);
    assert.equal(await page.locator("#edit-steps li.done").count(), 1);
    assert.equal(await page.locator("#edit-steps").getByRole("button", { name: "Is it fair?" }).isDisabled(), true);
  }
  await field.fill("N s");
  await field.press("Tab");
  await card.locator(".wrong").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll("#edit-steps li.done").length === 2);
  await close(page);
}

export async function numbers_of_pods_are_checked_and_stand_on_the_button() {
  const page = await open(state({ tab: "edit", ...SMALL }));
  const [field, make] = [page.locator('[data-key="new pods"]'), page.locator('[data-key="make pods"]')];
  for (const text of ["-3", "1000", "2.5", ""]) {
    await field.fill(text);
    await page.locator("#wrong-pods").filter({ hasText: "from 1 to 26" }).waitFor();
    assert.equal(await make.isDisabled(), true, text);
  }
  // The button says at once what it will do.
  await field.pressSequentially("7");
  assert.equal(await make.innerText(), "Make 7 new pods without legs");
  await page.locator('[data-key="columns"]').fill("8");
  assert.equal(await page.locator('[data-key="make board"]').innerText(), "Make a 8 × 6 board");
  await close(page);
}

export async function no_source_is_no_sentence_in_the_field() {
  const page = await open(state({ tab: "edit", board: DRAFT, pods: "four" }));
  const field = page.locator('[data-key="board source"]');
  await field.waitFor();
  assert.deepEqual([await field.inputValue(), await field.getAttribute("placeholder")], ["", "where this board comes from"]);
  await field.fill("my shelf");
  await field.press("Tab");
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("board").includes("my shelf"));
  await field.fill("");
  await field.press("Tab");
  await page.waitForFunction(() => /where this board comes from/.test(new URLSearchParams(location.hash.slice(1)).get("board")));
  // Legs that the owner has typed are not taken for those of a template.
  const made = pods("new", "pods");
  await close(page);
  const own = await open(state({ tab: "edit", board: DRAFT, pods: made }));
  await own.locator("#edit-pods .check").waitFor({ state: "attached" });
  assert.match(made, /legs/);
  assert.doesNotMatch(await own.locator("#edit-pods .check").textContent(), /made-up/);
  await close(own);
}
