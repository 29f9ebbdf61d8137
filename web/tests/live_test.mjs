// The live view in a browser: node live_test.mjs ADDRESS CHROMIUM [FOLDER for pictures]
// tests/app/live_test.py starts the simulation. What it prints last is the state as the page has shown it.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const [address, executablePath, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
const tab = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "light" })).newPage();
tab.setDefaultTimeout(120_000);
const requests = [],
  faults = [];
tab.on("request", (request) => requests.push(request.url()));
tab.on("pageerror", (error) => faults.push(String(error)));
tab.on("console", (message) => message.type() === "error" && !message.text().includes("ERR_CONNECTION_REFUSED") && faults.push(message.text()));

const cycles = async () => Number((await tab.textContent("[data-figure=cycles] strong")).replaceAll(",", ""));
const says = (text) => tab.waitForFunction((wanted) => document.querySelector("#status").textContent.includes(wanted), text);
const goesOn = () => tab.waitForFunction(() => !document.querySelector("#status").textContent.includes("Paused"));
const picture = async (name) => folder && (await tab.screenshot({ path: `${folder}/live_${name}.png`, fullPage: true }));

await tab.goto(address);
await tab.waitForSelector("#body[data-ready=simulating] tr[data-frame]");
// It is paused: Space goes on, Space pauses again, and nothing goes on until it is pressed once more.
await says("Paused");
await tab.keyboard.press("Space");
await goesOn();
await tab.waitForSelector(".holder[data-unit]");
await picture("light");
await tab.keyboard.press("Space");
await says("Paused");
// What all processes have told by the pause may come a while later.
let held = await cycles();
for (let look = 0; look < 20; look++) {
  await tab.waitForTimeout(600);
  const now = await cycles();
  if (now === held) break;
  held = now;
}
await tab.waitForTimeout(900);
assert.equal(await cycles(), held, "it goes on while it is paused");
await tab.click("button.theme");
await picture("dark");
// What has the focus keeps it while the page is made anew.
await tab.focus("tr[data-frame] button");
const key = await tab.evaluate(() => document.activeElement.dataset.key);
await tab.waitForTimeout(900);
assert.equal(await tab.evaluate(() => document.activeElement.dataset.key), key);
await tab.evaluate(() => document.activeElement.blur());
await tab.keyboard.press("r");
await tab.waitForSelector("#record.recording");
await tab.keyboard.press("Space");
await goesOn();
await tab.waitForFunction((before) => Number(document.querySelector("[data-figure=cycles] strong").textContent.replaceAll(",", "")) > before, held);
await tab.waitForSelector('ul[aria-label="Timelines"] code');
await says("Done");
await picture("done");

assert(requests.length > 5);
assert.deepEqual(requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:")), []);
assert.deepEqual(faults, []);
console.log(await tab.textContent('ul[aria-label="Timelines"] code'));
await browser.close();
