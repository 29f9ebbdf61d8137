// A screenshot of one view, as pages of docs/ show it: node shot.mjs REPORT.html VIEW WIDTH HEIGHT FILE.png
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const [page, view, width, height, file] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
const tab = await browser.newPage({ viewport: { width: Number(width), height: Number(height) }, colorScheme: "light" });
await tab.goto(`file://${resolve(page)}`);
await tab.waitForSelector("main[data-ready]");
await tab.click(`nav a[data-view=${view}]`);
await tab.waitForSelector(`main[data-ready=${view}]`);
await tab.mouse.move(0, 0);
await tab.waitForTimeout(500);
await tab.screenshot({ path: file });
await browser.close();
